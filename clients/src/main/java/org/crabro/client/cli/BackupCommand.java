package org.crabro.client.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Requests a backup from the server on this machine, and waits for its end. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Backs up the data of the running server on this machine.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro backup /backups/monday"})
public final class BackupCommand implements Callable<Integer> {
    private static final Pattern ADDRESS = Pattern.compile("^https?:/");
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "Directory that is empty or does not exist; the server writes it.")
    private @Nullable Path directory;

    @Option(names = "--target", paramLabel = "DIR", description = "The same directory.")
    private @Nullable Path target;

    @Mixin private ConfigTarget config = new ConfigTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path destination = destination();
        try (var calls = config.calls()) {
            JsonNode reply =
                    Polling.until(
                            each -> !each.path("state").asString().equals("running"),
                            calls.backup(
                                    config.address(), destination.toAbsolutePath().normalize()),
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

    private Path destination() {
        Path given = directory == null ? target : directory;
        if (given == null || (directory != null && target != null)) {
            throw new ParameterException(
                    spec.commandLine(), "expected one directory: crabro backup DIR");
        }
        if (ADDRESS.matcher(given.toString()).find()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'%s' is an address: expected a directory, as in crabro backup DIR; --config names a server"
                            .formatted(given));
        }
        return given;
    }
}
