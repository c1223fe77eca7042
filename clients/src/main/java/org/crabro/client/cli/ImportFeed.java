package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.imports.DocumentNames;
import org.crabro.client.imports.DocumentPuts;
import org.crabro.client.imports.GuessedField;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.sync.SourceSync;
import tools.jackson.databind.JsonNode;

/** Brings the documents of an import up to date on a server. */
final class ImportFeed {
    private static final URI SCHEMAS = URI.create("/crabro/v1/schemas");
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;

    private final GuessedSchema data;
    private final String group;
    private final ImportArguments arguments;
    private final PrintWriter out;
    private boolean hasMarks = true;
    private List<GuessedField> lacking = List.of();

    /**
     * How documents are fed.
     *
     * @param source the name of the source
     */
    record Settings(ServerAccess server, String source, boolean isKeepingDeleted) {}

    ImportFeed(GuessedSchema data, String group, ImportArguments arguments, PrintWriter out) {
        this.data = data;
        this.group = group;
        this.arguments = arguments;
        this.out = out;
    }

    /**
     * Returns the schema of the data with the fields that the server has, and prints which it does
     * not have.
     *
     * @throws IOException if the server does not have the type, or none of the fields
     */
    GuessedSchema fitting(ServerCalls calls, ServerAccess server)
            throws IOException, InterruptedException {
        Optional<Map<String, String>> declared = declared(calls, server);
        if (declared.isEmpty()) {
            return data;
        }
        GuessedSchema used = data.within(declared.get());
        lacking = data.lacking(used);
        hasMarks = "string".equals(declared.get().get(GuessedSchema.MARK));
        if (used.fields().isEmpty()) {
            throw new IOException(
                    """
                    The type %s has no field for these data. To store them as another type:
                      %s
                    To derive its schema from them:
                      %s\
                    """
                            .formatted(
                                    data.typeName(),
                                    arguments.with("--type", data.typeName() + "_2"),
                                    arguments.with("--replace")));
        }
        if (!lacking.isEmpty()) {
            out.printf(
                    "The schema of %s lacks fields for %s; these are left out. To add them:%n  %s%n",
                    data.typeName(),
                    lacking.stream().map(GuessedField::name).collect(Collectors.joining(", ")),
                    arguments.with("--replace"));
        }
        return used;
    }

    /** Returns the types of the fields of the type; empty if the server does not show them. */
    private Optional<Map<String, String>> declared(ServerCalls calls, ServerAccess server)
            throws IOException, InterruptedException {
        JsonNode schemas;
        try {
            schemas = calls.get(server.address().resolve(SCHEMAS));
        } catch (ServerRefusalException e) {
            if (e.status() == FORBIDDEN || e.status() == MISSING) {
                return Optional.empty();
            }
            throw e;
        }
        for (JsonNode type : schemas.path("types")) {
            if (type.path("name").asString("").equals(data.typeName())) {
                Map<String, String> fields = new LinkedHashMap<>();
                for (JsonNode field : type.path("fields")) {
                    fields.put(field.path("name").asString(""), field.path("type").asString(""));
                }
                return Optional.of(fields);
            }
        }
        throw new IOException(
                "The server has no type %s. To deploy it:%n  %s"
                        .formatted(data.typeName(), arguments.withoutFlag("--no-deploy")));
    }

    /**
     * Feeds what has changed, removes what is gone, and prints how many documents there were.
     *
     * @param read called with the number of documents that were read
     * @return the line with the changes; empty if there are none, or stored documents are not
     *     compared
     * @throws IOException if the source cannot be read, or documents of another source have the
     *     same names
     */
    Optional<String> run(
            DocumentPuts documents, Settings settings, FeedStatistics statistics, LongConsumer read)
            throws IOException, InterruptedException {
        documents.ignore(lacking);
        var sync =
                new SourceSync(
                        settings.server,
                        new SourceSync.Place(
                                data.typeName(), group, hasMarks ? GuessedSchema.MARK : ""),
                        settings.source);
        compare(sync);
        out.println(data.names().note());
        out.flush();
        sync.feed(
                () ->
                        documents
                                .next()
                                .map(put -> new SourceSync.SourceDocument(put.id(), put.fields())),
                statistics,
                read);
        out.printf(
                Locale.ROOT,
                "%,d documents stored in group %s in %.1f s (%,.0f/s), %,d failed.%n",
                statistics.ok(),
                group,
                statistics.seconds(),
                statistics.ok() / statistics.seconds(),
                statistics.errors());
        if (!sync.isCompared()) {
            return Optional.empty();
        }
        long gone = sync.gone();
        long removed = settings.isKeepingDeleted ? 0 : sync.removeGone(statistics);
        SourceSync.Counts counts = sync.counts();
        String line =
                String.format(
                        Locale.ROOT,
                        "%,d new, %,d changed, %,d removed, %,d unchanged%s.",
                        counts.fresh(),
                        counts.changed(),
                        removed,
                        counts.unchanged(),
                        gone == removed
                                ? ""
                                : ", %,d that the source does not have are kept"
                                        .formatted(gone - removed));
        out.println(line);
        return counts.fresh() + counts.changed() + removed == 0
                ? Optional.empty()
                : Optional.of(line);
    }

    private void compare(SourceSync sync) throws IOException, InterruptedException {
        if (!hasMarks) {
            out.printf(
                    "The schema of %s has no field %s: all documents are sent, and none is removed. To"
                            + " add it:%n  %s%n",
                    data.typeName(), GuessedSchema.MARK, arguments.with("--replace"));
            return;
        }
        Optional<SourceSync.Conflict> conflict;
        try {
            conflict = sync.readStored(data.names()::contains);
        } catch (ServerRefusalException e) {
            if (e.status() != FORBIDDEN) {
                throw e;
            }
            out.println("The token may not read documents: all are sent, and none is removed.");
            return;
        }
        if (conflict.isPresent()) {
            throw conflict(conflict.get());
        }
        if (!sync.isCompared()) {
            out.println(
                    "The group has too many documents to compare: all are sent, and none is removed.");
        }
    }

    private IOException conflict(SourceSync.Conflict conflict) {
        String advice =
                data.names().way() == DocumentNames.Way.NUMBER
                        ? "%nTo name documents by a column:%n  %s"
                                .formatted(arguments.with("--id", "COLUMN"))
                        : "";
        return new IOException(
                """
                %,d documents from %s have the same names, such as %s. Nothing was changed.
                If it is the same source in another place:
                  %s
                To store the data as another type:
                  %s%s\
                """
                        .formatted(
                                conflict.count(),
                                conflict.source(),
                                conflict.example(),
                                arguments.with("--source", conflict.source()),
                                arguments.with("--type", data.typeName() + "_2"),
                                advice));
    }
}
