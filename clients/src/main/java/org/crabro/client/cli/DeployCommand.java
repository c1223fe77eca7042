package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.crabro.client.file.FilesBelow;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.RecordOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Deploys an application package, which is active when the command ends. */
@Command(
        name = "deploy",
        mixinStandardHelpOptions = true,
        description = {
            "Deploys an application package. It is active when the command ends.",
            "The exit status is 1 if the server rejects it; the message has the place of the error."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro deploy                       the package in this directory",
            "  crabro deploy samples/notes",
            "  crabro deploy application.zip --config http://search.example.com:19071",
            "",
            "'crabro validate PACKAGE' checks a package without a server."
        })
public final class DeployCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PACKAGE",
            arity = "0..1",
            defaultValue = ".",
            description =
                    "A directory with services.xml, one with src/main/application or"
                            + " target/application in it, or a .zip or .tgz file"
                            + " (${DEFAULT-VALUE}).")
    private Path given = Path.of(".");

    @Option(
            names = "--follow-links",
            description =
                    "Follow symbolic links that lead out of the package. Without it, they are"
                            + " rejected.")
    private boolean isFollowingLinks;

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private ConfigTarget config = new ConfigTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        SentPackage files =
                SentPackage.read(
                        given, isFollowingLinks ? FilesBelow.Links.ALL : FilesBelow.Links.INSIDE);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (var calls = config.calls()) {
            JsonNode answer = calls.deploy(config.address(), files.archive(), files.contentType());
            switch (format) {
                case JSON -> out.println(answer);
                case JSONL, CSV -> RecordOutput.print(messages(answer), format, spec);
                case TABLE -> {
                    for (JsonNode line : answer.path("log")) {
                        err.printf(
                                "%s: %s%n",
                                line.path("level").asString(""), line.path("message").asString(""));
                    }
                    out.println(deployed(answer));
                }
            }
            return ExitStatus.DONE;
        } finally {
            err.flush();
            out.flush();
        }
    }

    private static String deployed(JsonNode answer) {
        return "Deployed: generation %s is active."
                .formatted(answer.path("session-id").asString(""));
    }

    /** Returns a row for each message about the package, and a last one about its generation. */
    private static List<JsonNode> messages(JsonNode answer) {
        String generation = answer.path("session-id").asString("");
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode line : answer.path("log")) {
            rows.add(
                    message(
                            generation,
                            line.path("level").asString(""),
                            line.path("message").asString("")));
        }
        rows.add(message(generation, "INFO", deployed(answer)));
        return rows;
    }

    private static JsonNode message(String generation, String level, String text) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("generation", generation)
                .put("level", level)
                .put("message", text);
    }
}
