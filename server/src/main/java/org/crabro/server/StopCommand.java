package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.client.cli.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Stops a server of this machine by a signal. So the system decides who may stop it: its user and
 * the administrator. No request over the network stops a server.
 */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = {
            "Stops the server of a data directory, or that of an address, and waits for its end.",
            "The user of the server can stop it, and the administrator of the machine."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro stop",
            "  crabro stop --data /var/lib/crabro",
            "  crabro stop --target http://127.0.0.1:8081"
        })
final class StopCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The server's --data directory; without --target, crabro-data.")
    private @Nullable Path given;

    @Option(
            names = "--target",
            paramLabel = "URL",
            description =
                    "The server of this machine with this address. With --data, the server is"
                            + " stopped only if this is one of its addresses.")
    private @Nullable URI target;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long the command waits (${DEFAULT-VALUE}).")
    private int timeoutSeconds = 60;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (given == null && target != null) {
            return stopAt(target);
        }
        Path data = given == null ? Path.of("crabro-data") : given;
        if (!Files.isDirectory(data)) {
            throw new NoSuchFileException(data.toString());
        }
        Optional<RunningServer> server = RunningServer.read(data);
        Optional<ProcessHandle> process = server.flatMap(RunningServer::process);
        if (process.isEmpty()) {
            return failed(
                    "no server runs with the data in %s; --data names the directory of another one"
                            .formatted(data));
        }
        if (target != null && !server.get().answersAt(target)) {
            return failed(
                    "the server with the data in %s answers at %s, not at %s"
                            .formatted(data, server.get().addresses(), target));
        }
        return stop(process.get(), data);
    }

    private int stopAt(URI address) throws InterruptedException {
        Optional<RunningServers.Server> server = RunningServers.at(address);
        if (server.isEmpty()) {
            return failed(
                    "no server of this machine that you may stop answers at %s. Run 'crabro stop' on the"
                                    .formatted(address)
                            + " server's machine, as its user, or name its directory with --data");
        }
        return stop(server.get().process(), server.get().data());
    }

    private int stop(ProcessHandle process, Path data) throws InterruptedException {
        if (!process.destroy() && process.isAlive()) {
            return failed(
                    "process %d was not stopped: only its user may do that"
                            .formatted(process.pid()));
        }
        try {
            process.onExit()
                    .get(Duration.ofSeconds(timeoutSeconds).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return failed(
                    "process %d still stops after %d s; see the log in %s"
                            .formatted(process.pid(), timeoutSeconds, data.resolve("logs")));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Stopped the server with the data in %s.%n", data);
        out.flush();
        return ExitStatus.DONE;
    }

    private int failed(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(message);
        err.flush();
        return ExitStatus.FAILED;
    }
}
