package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.crabro.client.file.FilesBelow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

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

    @Option(names = "--json", description = "Print the answer of the server as JSON.")
    private boolean isJson;

    @Mixin private ConfigTarget config = new ConfigTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        SentPackage files =
                SentPackage.read(
                        given, isFollowingLinks ? FilesBelow.Links.ALL : FilesBelow.Links.INSIDE);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (var calls = config.calls()) {
            JsonNode answer = calls.deploy(config.address(), files.archive(), files.contentType());
            if (isJson) {
                out.println(answer);
            } else {
                for (JsonNode line : answer.path("log")) {
                    err.printf(
                            "%s: %s%n",
                            line.path("level").asString(""), line.path("message").asString(""));
                }
                out.printf(
                        "Deployed: generation %s is active.%n",
                        answer.path("session-id").asString(""));
            }
            return ExitStatus.DONE;
        } finally {
            err.flush();
            out.flush();
        }
    }
}
