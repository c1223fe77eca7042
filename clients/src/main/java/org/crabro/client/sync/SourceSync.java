package org.crabro.client.sync;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.feed.LineStream;
import org.crabro.client.file.TextHash;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An import of a source, which may be the first or a later one: compares the documents of the
 * source with the stored ones, feeds what is new or has changed, and removes what is gone. If an
 * import ends half-way, the next one continues it. Not thread-safe.
 */
public final class SourceSync {
    /** More stored documents are not compared. */
    static final int DOCUMENTS_MAX = 5_000_000;

    private static final int SLICES = 4;
    private static final int REMOVALS_MAX = 10_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final ServerAccess server;
    private final Place place;
    private final String source;
    private final StoredMarks stored = new StoredMarks(DOCUMENTS_MAX);
    private boolean isCompared;
    private long fresh;
    private long changed;
    private long unchanged;

    /**
     * Where the documents are.
     *
     * @param field of the mark; empty if documents have none
     */
    public record Place(String documentType, String group, String field) {}

    /**
     * Documents of other sources with the names of documents of this one.
     *
     * @param example one of their ids
     * @param source of the example
     */
    public record Conflict(long count, String example, String source) {}

    /** What an import has done, a number of documents each. */
    public record Counts(long fresh, long changed, long unchanged) {}

    /** The documents of a source, one after another. */
    @FunctionalInterface
    public interface Documents {
        /** Returns the next one; empty at the end. */
        Optional<SourceDocument> next() throws IOException;
    }

    /**
     * A document of a source.
     *
     * @param fields the values as JSON has them
     */
    public record SourceDocument(String id, Map<String, Object> fields) {}

    /**
     * @param source a name that no other source has
     */
    public SourceSync(ServerAccess server, Place place, String source) {
        this.server = server;
        this.place = place;
        this.source = source;
    }

    /**
     * Reads what is stored.
     *
     * @param names whether the source has a document of a name
     * @return documents of other sources that this import would replace
     * @throws IOException if the server does not answer
     */
    public Optional<Conflict> readStored(Predicate<String> names)
            throws IOException, InterruptedException {
        var conflicts = new Conflicts(names);
        isCompared = true;
        visit(document -> {
            boolean isOurs = document.mark.filter(each -> each.source().equals(source)).isPresent();
            long hash = document.mark.map(ImportMark::hash).orElse(0L);
            isCompared &= stored.add(document.id, hash, isOurs);
            if (!isOurs) {
                conflicts.add(document);
            }
        });
        if (!isCompared) {
            stored.clear();
        }
        return conflicts.result();
    }

    /** Returns whether stored documents are compared: {@link #readStored} could read all. */
    public boolean isCompared() {
        return isCompared;
    }

    /** A stored document. */
    private record Stored(String id, Optional<ImportMark> mark) {}

    /** Gets stored documents. */
    private interface Receiver {
        void accept(Stored document) throws InterruptedException;
    }

    private static final class Conflicts {
        private final Predicate<String> names;
        private long count;
        private String example = "";
        private String source = "";

        Conflicts(Predicate<String> names) {
            this.names = names;
        }

        void add(Stored document) {
            if (document.mark.isEmpty() || !names.test(user(document.id))) {
                return;
            }
            if (count++ == 0) {
                example = document.id;
                source = document.mark.get().source();
            }
        }

        private static String user(String id) {
            try {
                return DocumentId.parse(id).user();
            } catch (InvalidDocumentException _) {
                // A server does not send such an id.
                return "";
            }
        }

        Optional<Conflict> result() {
            return count == 0
                    ? Optional.empty()
                    : Optional.of(new Conflict(count, example, source));
        }
    }

    private void visit(Receiver receiver) throws IOException, InterruptedException {
        ClientVisit visit =
                ClientVisit.ofGroup(place.documentType, place.documentType, place.group)
                        .withFieldSet(place.documentType + ":" + place.field)
                        .withSlices(SLICES);
        try (var client = new VisitClient(server)) {
            client.forEach(
                    visit,
                    event -> {
                        if (event instanceof VisitEvent.Visited visited) {
                            JsonNode line = visited.json();
                            receiver.accept(
                                    new Stored(
                                            line.path("put").asString(""),
                                            ImportMark.parse(
                                                    line.path("fields")
                                                            .path(place.field)
                                                            .asString(""))));
                        }
                    });
        }
    }

    /**
     * Feeds what is new or has changed.
     *
     * @param read called with the number of documents that were read
     * @throws IOException if the source cannot be read; what came before was sent
     */
    public void feed(Documents documents, FeedStatistics statistics, LongConsumer read)
            throws IOException, InterruptedException {
        try (var lines = new LineStream(new Puts(documents, read));
                var feeder = BulkFeeder.adaptive(server)) {
            feeder.feed(lines, statistics, _ -> {});
        }
    }

    /** The lines that put what is new or has changed. */
    private final class Puts implements LineStream.Lines {
        private final Documents documents;
        private final LongConsumer read;
        private long count;

        Puts(Documents documents, LongConsumer read) {
            this.documents = documents;
            this.read = read;
        }

        @Override
        public Optional<byte[]> next() throws IOException {
            for (Optional<SourceDocument> next = documents.next();
                    next.isPresent();
                    next = documents.next()) {
                SourceDocument document = next.get();
                read.accept(++count);
                long hash = TextHash.of(JSON.writeValueAsString(document.fields));
                if (isSent(stored.present(document.id, hash))) {
                    return Optional.of(line(document, hash));
                }
            }
            return Optional.empty();
        }

        private boolean isSent(StoredMarks.Change change) {
            switch (change) {
                case NEW -> fresh++;
                case CHANGED -> changed++;
                case UNCHANGED -> unchanged++;
            }
            return change != StoredMarks.Change.UNCHANGED;
        }

        private byte[] line(SourceDocument document, long hash) {
            Map<String, Object> fields = new LinkedHashMap<>(document.fields);
            if (!place.field.isEmpty()) {
                fields.put(place.field, new ImportMark(hash, source).text());
            }
            Map<String, Object> put = new LinkedHashMap<>();
            put.put("put", document.id);
            put.put("fields", fields);
            return (JSON.writeValueAsString(put) + "\n").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            // The caller closes the source.
        }
    }

    /** Returns what was fed. */
    public Counts counts() {
        return new Counts(fresh, changed, unchanged);
    }

    /** Returns how many documents the source had at the last import, and has no more. */
    public long gone() {
        return stored.gone();
    }

    /**
     * Removes the documents that the source has no more, if they are as the last import has left
     * them. Call it after {@link #feed} has read the whole source.
     *
     * @return how many were removed
     */
    public long removeGone(FeedStatistics statistics) throws IOException, InterruptedException {
        if (gone() == 0) {
            return 0;
        }
        long before = statistics.ok();
        List<Stored> removals = new ArrayList<>();
        do {
            removals.clear();
            visit(document -> {
                if (removals.size() < REMOVALS_MAX && isGone(document)) {
                    removals.add(document);
                }
            });
            // What cannot be removed is not tried again.
            removals.forEach(document -> stored.forget(document.id));
            remove(removals, statistics);
        } while (removals.size() == REMOVALS_MAX);
        return statistics.ok() - before;
    }

    private boolean isGone(Stored document) {
        return document.mark
                .filter(mark -> mark.source().equals(source))
                .filter(mark -> stored.isGone(document.id, mark.hash()))
                .isPresent();
    }

    /** Removes documents, unless they have changed since they were visited. */
    private void remove(List<Stored> documents, FeedStatistics statistics)
            throws IOException, InterruptedException {
        var lines = new ByteArrayOutputStream();
        for (Stored document : documents) {
            String mark = document.mark.map(ImportMark::text).orElse("");
            Map<String, Object> remove = new LinkedHashMap<>();
            remove.put("remove", document.id);
            remove.put(
                    "condition",
                    "%s.%s == \"%s\"".formatted(place.documentType, place.field, escaped(mark)));
            lines.writeBytes(
                    (JSON.writeValueAsString(remove) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        try (var feeder = BulkFeeder.adaptive(server)) {
            feeder.feed(new ByteArrayInputStream(lines.toByteArray()), statistics, _ -> {});
        }
    }

    /** Returns a text as selections have it between quotes. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }
}
