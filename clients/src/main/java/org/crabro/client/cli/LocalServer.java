package org.crabro.client.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.client.process.ProgressWatch;
import org.crabro.client.process.ServerWork;

/** Starts a server of this machine that goes on after the command has ended. */
final class LocalServer {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private LocalServer() {}

    /** Returns whether a server at an address would run on this machine. */
    static boolean isHere(URI address) {
        try {
            return address.getScheme().toLowerCase(Locale.ROOT).equals("http")
                    && InetAddress.getByName(address.getHost()).isLoopbackAddress();
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Starts a server and waits until its config port answers.
     *
     * @return the number of its process
     * @throws IOException if it ends before that, or makes no {@linkplain ProgressWatch progress};
     *     the message names its output
     */
    static long start(ServerCalls calls, URI documents, URI config, Path data)
            throws IOException, InterruptedException {
        String home = System.getProperty("crabro.home", "");
        Path launcher = Path.of(home, "bin", "crabro");
        if (home.isEmpty() || !Files.isRegularFile(launcher)) {
            throw new IOException(
                    "no server runs, and the launcher of one is not found: " + launcher);
        }
        Files.createDirectories(data);
        Path log = data.resolve("serve.log").toAbsolutePath();
        List<String> command =
                new ArrayList<>(List.of("bash", launcher.toString(), "serve", "--data"));
        command.add(data.toAbsolutePath().toString());
        command.addAll(List.of("--port", Integer.toString(documents.getPort())));
        command.addAll(List.of("--config-port", Integer.toString(config.getPort())));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        process.getOutputStream().close();
        var watch = ProgressWatch.begin();
        while (!calls.isUp(config)) {
            if (process.waitFor(PAUSE)) {
                throw new IOException(
                        "the server did not start; %s says:%n%s".formatted(log, last(log)));
            }
            Optional<String> end =
                    watch.end(ServerWork.of(process.toHandle(), log, ServerWork.log(data)));
            if (end.isPresent()) {
                throw new IOException(
                        "the server did not start: %s; see %s".formatted(end.get(), log));
            }
        }
        return process.pid();
    }

    private static String last(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }
}
