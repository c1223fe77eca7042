package org.crabro.client.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Requests a backup from the server on this machine, and waits for its end. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Backs up the data of the running server on this machine.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro backup --target /backups/monday"})
public final class BackupCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--target",
            required = true,
            paramLabel = "DIR",
            description = "Directory that is empty or does not exist; the server writes it.")
    private Path directory = Path.of("");

    @Mixin private ConfigTarget config = new ConfigTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var calls = config.calls()) {
            JsonNode reply =
                    Polling.until(
                            each -> !each.path("state").asString().equals("running"),
                            calls.backup(config.address(), directory.toAbsolutePath().normalize()),
                            () -> calls.lastBackup(config.address()),
                            PAUSE);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s: %d files of %d bytes, with everything acknowledged before %s%n",
                            reply.path("directory").asString(),
                            reply.path("files").asLong(),
                            reply.path("bytes").asLong(),
                            reply.path("begun").asString());
            if (reply.has("copyReason")) {
                spec.commandLine()
                        .getOut()
                        .printf(
                                "%d bytes were copied: %s%n",
                                reply.path("copiedBytes").asLong(),
                                reply.path("copyReason").asString());
            }
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
