package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Asks the server on this machine for a backup, and waits until it is made. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Makes a backup of what the server on this machine stores, while it serves.")
public final class BackupCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 500;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--target",
            required = true,
            paramLabel = "DIR",
            description = "Directory that is empty or not there; the server writes it.")
    private Path target = Path.of("");

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:19071",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI config = URI.create("http://127.0.0.1:19071");

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var calls = new ServerCalls()) {
            JsonNode reply = calls.backup(config, target.toAbsolutePath().normalize());
            while (reply.path("state").asString().equals("running")) {
                Thread.sleep(POLL_MILLIS);
                reply = calls.lastBackup(config);
            }
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
