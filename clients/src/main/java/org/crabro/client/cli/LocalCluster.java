package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * A cluster of servers on this machine, to try failures with. Its directory has a directory of data
 * for each server, {@code n1} and so on, with the number of its process and its log beside them.
 *
 * @param directory of the cluster
 */
record LocalCluster(Path directory) {
    /** The most servers. */
    static final int SERVERS_MAX = 9;

    private static final int CONTAINER_PORT = 8080;
    private static final int CONFIG_PORT = 19_071;
    private static final int CONFIG_NODE_PORT = 19_070;
    private static final int NODE_PORT = 19_100;
    private static final int PORTS_PER_SERVER = 100;
    private static final Duration START_WAIT = Duration.ofSeconds(60);
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);

    /** The heap of a server, in MiB, unless the environment sets another one. */
    private static final Map<String, String> ENVIRONMENT = Map.of("CRABRO_HEAP_MIB", "512");

    /** Returns the name of the server with a number, from 1. */
    static String name(int number) {
        return "n" + number;
    }

    /** Returns where packages are deployed. */
    static URI config() {
        return URI.create("http://127.0.0.1:" + CONFIG_PORT);
    }

    /** Returns where a server with a container answers queries. */
    static URI container(int number) {
        return URI.create("http://127.0.0.1:" + (CONTAINER_PORT + number - 1));
    }

    /** Returns the numbers of the servers that were ever started. */
    List<Integer> servers() {
        return IntStream.rangeClosed(1, SERVERS_MAX)
                .filter(number -> Files.isDirectory(directory.resolve(name(number))))
                .boxed()
                .toList();
    }

    /**
     * Starts a server, and returns when it is up.
     *
     * @throws IOException if it runs already, or does not start; the message names its log
     */
    void start(int number) throws IOException, InterruptedException {
        if (process(number).isPresent()) {
            throw new IOException("server %s runs already".formatted(name(number)));
        }
        Files.createDirectories(directory.resolve(name(number)));
        Path log = directory.resolve(name(number) + ".log");
        var builder =
                new ProcessBuilder(command(number))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        ENVIRONMENT.forEach(builder.environment()::putIfAbsent);
        Process process = builder.start();
        Files.writeString(pidFile(number), Long.toString(process.pid()));
        long end = System.nanoTime() + START_WAIT.toNanos();
        while (!Files.readString(log).contains(" is up: ")) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                throw new IOException(
                        "server %s did not start; see '%s'".formatted(name(number), log));
            }
        }
    }

    private List<String> command(int number) throws IOException {
        String launcher = System.getenv("CRABRO_LAUNCHER");
        if (launcher == null) {
            throw new IOException("CRABRO_LAUNCHER is not set: start this with bin/crabro");
        }
        return List.of(
                launcher,
                "serve",
                "--data",
                directory.resolve(name(number)).toString(),
                "--config-servers",
                name(1) + "=127.0.0.1:" + CONFIG_NODE_PORT,
                "--host",
                name(number),
                "--port",
                Integer.toString(CONTAINER_PORT + number - 1),
                "--config-port",
                Integer.toString(CONFIG_PORT),
                "--node-port",
                Integer.toString(NODE_PORT + PORTS_PER_SERVER * (number - 1)));
    }

    /** Returns the process of a server, if it runs. */
    Optional<ProcessHandle> process(int number) throws IOException {
        try {
            long pid = Long.parseLong(Files.readString(pidFile(number)).strip());
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    private Path pidFile(int number) {
        return directory.resolve(name(number) + ".pid");
    }

    /** Ends a server at once, as {@code kill -9} does. Returns whether it ran. */
    boolean kill(int number) throws IOException {
        Optional<ProcessHandle> process = process(number);
        process.ifPresent(ProcessHandle::destroyForcibly);
        Files.deleteIfExists(pidFile(number));
        return process.isPresent();
    }

    /** Stops all servers, the config server last. Returns the number of those that ran. */
    int stopAll() throws IOException {
        List<Integer> stopped = new ArrayList<>();
        for (int number : servers().reversed()) {
            Optional<ProcessHandle> process = process(number);
            if (process.isPresent()) {
                stop(process.get());
                stopped.add(number);
            }
            Files.deleteIfExists(pidFile(number));
        }
        return stopped.size();
    }

    private static void stop(ProcessHandle process) {
        process.destroy();
        try {
            process.onExit().get(STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            process.destroyForcibly();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a process never ends with an exception", e);
        }
    }
}
