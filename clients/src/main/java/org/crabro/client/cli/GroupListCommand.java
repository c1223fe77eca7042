package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.query.QueryClient;
import org.crabro.client.query.StoredGroups;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.RecordLines;
import org.crabro.client.terminal.RecordOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prints the groups of a document type, page by page. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a line for each group: its name, the number of its documents, and their"
                    + " approximate size in bytes, separated by tabs.",
            "Without a namespace it prints the largest groups of each type: name, number and type."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro group list",
            "  crabro group list --type note --limit 100",
            "  crabro group list home note",
            "  crabro group list home note --selection 'note.time > 15'"
        })
final class GroupListCommand implements Callable<Integer> {
    private static final int PAGE = 1000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAMESPACE",
            description = "The namespace of the documents' ids.")
    private @Nullable String namespace;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TYPE",
            description = "The document type.")
    private @Nullable String documentType;

    @Option(
            names = {"-t", "--type"},
            paramLabel = "NAME",
            description = "The document type, without a namespace.")
    private @Nullable String type;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Without a namespace: how many groups of a type (${DEFAULT-VALUE}).")
    private int limit = 1000;

    @Option(names = "--number", description = "Lists numbers, which follow n= in ids.")
    private boolean isNumber;

    @Option(
            names = "--selection",
            paramLabel = "SELECTION",
            description = "The documents to count; groups without any are left out.")
    private @Nullable String selection;

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<OutputFormat> format = output.named();
        String space = namespace;
        String typeOfSpace = documentType;
        if (space == null) {
            return listLargest(format);
        }
        if (typeOfSpace == null || type != null) {
            throw new ParameterException(
                    spec.commandLine(), "expected NAMESPACE and TYPE, or --type without them");
        }
        String kind = isNumber ? "number" : "group";
        String query = "wantedGroupCount=" + PAGE;
        if (selection != null) {
            query += "&selection=" + GroupName.encoded(selection);
        }
        String path =
                "/document/v1/%s/%s/%s/?"
                        .formatted(GroupName.encoded(space), GroupName.encoded(typeOfSpace), kind);
        String next = query;
        try (var calls = target.calls()) {
            while (!next.isEmpty()) {
                JsonNode page = calls.get(target.server().address().resolve(path + next));
                List<ObjectNode> rows = new ArrayList<>();
                for (JsonNode each : page.path("groups")) {
                    rows.add(
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put(kind, each.path(kind).asString())
                                    .put("documents", each.path("documentCount").asLong())
                                    .put("bytes", each.path("bytes").asLong()));
                }
                print(rows, format, next.equals(query));
                next =
                        page.has("continuation")
                                ? query + "&continuation=" + page.get("continuation").asString()
                                : "";
            }
        }
        return 0;
    }

    private int listLargest(Optional<OutputFormat> format)
            throws IOException, InterruptedException {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("limit", Integer.toString(limit));
        if (type != null) {
            parameters.put("type", type);
        }
        List<ObjectNode> rows = new ArrayList<>();
        try (var client = new QueryClient(target.server(), HttpClient.Version.HTTP_1_1)) {
            for (StoredGroups.Type each : client.groups(parameters).types()) {
                for (StoredGroups.Group group : each.groups()) {
                    rows.add(
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("group", group.name())
                                    .put("documents", group.documents())
                                    .put("type", each.name()));
                }
            }
        }
        print(rows, format, true);
        return ExitStatus.DONE;
    }

    /** Prints a page; without a form, as values separated by tabs. */
    private void print(List<ObjectNode> rows, Optional<OutputFormat> format, boolean isFirst) {
        PrintWriter out = spec.commandLine().getOut();
        if (format.isEmpty()) {
            rows.forEach(row -> out.println(String.join("\t", RecordLines.columns(row).values())));
        } else if (format.get() == OutputFormat.CSV && !isFirst) {
            RecordLines.csv(rows).stream().skip(1).forEach(out::println);
        } else {
            RecordOutput.print(rows, format.get(), spec);
        }
        out.flush();
    }
}
