package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster of servers on this machine, to try failures with. Its directory has a directory of data
 * for each server, {@code n1} and so on, with the number of its process and its log beside them.
 * The first three servers are config servers, or the first one if the cluster began with fewer than
 * three.
 *
 * @param directory of the cluster
 */
record LocalCluster(Path directory) {
    /** The most servers. */
    static final int SERVERS_MAX = 9;

    private static final int CONTAINER_PORT = 8080;
    private static final int CONFIG_SERVERS = 3;
    private static final int CONFIG_PORT = 19_071;

    /** Of the first config server; those of the others are below it. */
    private static final int CONFIG_NODE_PORT = 19_070;

    private static final int NODE_PORT = 19_100;
    private static final int PORTS_PER_SERVER = 100;

    /** The largest number that is added to each port. */
    static final int PORT_OFFSET_MAX = 40_000;

    private static final Duration START_WAIT = Duration.ofSeconds(60);
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);

    /** The heap of a server, in MiB, unless the environment sets another one. */
    private static final Map<String, String> ENVIRONMENT = Map.of("CRABRO_HEAP_MIB", "512");

    /** Returns the name of the server with a number, from 1. */
    static String name(int number) {
        return "n" + number;
    }

    /** Returns where packages are deployed. */
    URI config() throws IOException {
        return configs().getFirst();
    }

    /** Returns where packages are deployed, for each server that can be a config server. */
    List<URI> configs() throws IOException {
        int first = CONFIG_PORT + portOffset();
        return IntStream.range(first, first + CONFIG_SERVERS)
                .mapToObj(port -> URI.create("http://127.0.0.1:" + port))
                .toList();
    }

    /**
     * Decides how many config servers the cluster has: three if there are at least three servers.
     * Does nothing if the cluster has begun before.
     *
     * @param portOffset is added to each port
     */
    void begin(int servers, int portOffset) throws IOException {
        if (!servers().isEmpty()) {
            return;
        }
        Files.createDirectories(directory);
        if (servers >= CONFIG_SERVERS) {
            Files.writeString(configServersFile(), Integer.toString(CONFIG_SERVERS));
        }
        Files.writeString(portOffsetFile(), Integer.toString(portOffset));
    }

    private Path configServersFile() {
        return directory.resolve("config-servers");
    }

    private Path portOffsetFile() {
        return directory.resolve("port-offset");
    }

    /** Returns the number of config servers. */
    int configServers() throws IOException {
        return number(configServersFile(), 1);
    }

    /** Returns what is added to each port. */
    int portOffset() throws IOException {
        return number(portOffsetFile(), 0);
    }

    /** Returns the number in a file, or another one if there is no file. */
    private static int number(Path file, int otherwise) throws IOException {
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (NoSuchFileException _) {
            return otherwise;
        } catch (NumberFormatException e) {
            throw new IOException("'%s' has no number".formatted(file), e);
        }
    }

    /** Returns the value of the option that names the config servers. */
    String namedConfigServers() throws IOException {
        int first = CONFIG_NODE_PORT + portOffset();
        return IntStream.rangeClosed(1, configServers())
                .mapToObj(number -> "%s=127.0.0.1:%d".formatted(name(number), first + 1 - number))
                .collect(Collectors.joining(","));
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
        int offset = portOffset();
        return List.of(
                launcher,
                "serve",
                "--data",
                directory.resolve(name(number)).toString(),
                "--config-servers",
                namedConfigServers(),
                "--host",
                name(number),
                "--port",
                Integer.toString(offset + CONTAINER_PORT + number - 1),
                "--config-port",
                Integer.toString(offset + CONFIG_PORT + number - 1),
                "--node-port",
                Integer.toString(offset + NODE_PORT + PORTS_PER_SERVER * (number - 1)));
    }

    /**
     * Returns the process of a server, if it runs. The number in the file may be that of another
     * process since, so its arguments must name the directory of the server.
     */
    Optional<ProcessHandle> process(int number) throws IOException {
        try {
            long pid = Long.parseLong(Files.readString(pidFile(number)).strip());
            String data = directory.resolve(name(number)).toString();
            Optional<ProcessHandle> found = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
            return found.isPresent() && arguments(found.get()).contains(data)
                    ? found
                    : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Returns the arguments of a process. The JDK leaves out those of long command lines. */
    private static List<String> arguments(ProcessHandle process) throws IOException {
        Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        try {
            return List.of(
                    new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8)
                            .split("\0"));
        } catch (NoSuchFileException _) {
            // This system has no such files, or the process has ended.
            return List.of(process.info().arguments().orElse(new String[0]));
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

    /**
     * Stops all servers at the same time, so that none waits for another to take over. Returns the
     * number of those that ran.
     */
    int stopAll() throws IOException {
        List<ProcessHandle> running = new ArrayList<>();
        for (int number : servers()) {
            process(number).ifPresent(running::add);
        }
        running.forEach(ProcessHandle::destroy);
        running.forEach(LocalCluster::awaitEnd);
        for (int number : servers()) {
            Files.deleteIfExists(pidFile(number));
        }
        return running.size();
    }

    private static void awaitEnd(ProcessHandle process) {
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
