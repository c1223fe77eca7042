package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Prints the groups of a document type, page by page. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Prints a line for each group: its name, the number of its documents, and their"
                        + " approximate size in bytes, separated by tabs.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro group list home note",
            "  crabro group list home note --selection 'note.time > 15'"
        })
final class GroupListCommand implements Callable<Integer> {
    private static final int PAGE = 1000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE",
            description = "The namespace of the documents' ids.")
    private String namespace = "";

    @Parameters(index = "1", paramLabel = "TYPE", description = "The document type.")
    private String documentType = "";

    @Option(names = "--number", description = "Lists numbers, which follow n= in ids.")
    private boolean isNumber;

    @Option(
            names = "--selection",
            paramLabel = "SELECTION",
            description = "The documents to count; groups without any are left out.")
    private @Nullable String selection;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        String kind = isNumber ? "number" : "group";
        String query = "wantedGroupCount=" + PAGE;
        if (selection != null) {
            query += "&selection=" + GroupName.encoded(selection);
        }
        String path =
                "/document/v1/%s/%s/%s/?"
                        .formatted(
                                GroupName.encoded(namespace),
                                GroupName.encoded(documentType),
                                kind);
        String next = query;
        try (var calls = target.calls()) {
            while (!next.isEmpty()) {
                JsonNode page = calls.get(target.server().address().resolve(path + next));
                for (JsonNode each : page.path("groups")) {
                    out.printf(
                            "%s\t%d\t%d%n",
                            each.path(kind).asString(),
                            each.path("documentCount").asLong(),
                            each.path("bytes").asLong());
                }
                out.flush();
                next =
                        page.has("continuation")
                                ? query + "&continuation=" + page.get("continuation").asString()
                                : "";
            }
        }
        return 0;
    }
}
