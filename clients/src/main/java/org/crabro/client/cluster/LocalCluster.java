package org.crabro.client.cluster;

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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.client.process.ProgressWatch;
import org.crabro.client.process.ServerWork;

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

    private static final Duration LOOK = Duration.ofMillis(100);

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

    /** Returns where packages are deployed, for each config server. */
    List<URI> configs() throws IOException {
        int first = CONFIG_PORT + portOffset();
        return IntStream.range(first, first + configServers())
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

    /** Returns the file with what a server prints. */
    Path log(int number) {
        return directory.resolve(name(number) + ".log");
    }

    /** Returns what a server prints and what it logs. */
    private Path[] logs(int number) {
        return new Path[] {log(number), ServerWork.log(directory.resolve(name(number)))};
    }

    /** Returns the sizes of {@link #logs}. */
    List<Long> logBytes(int number) {
        return ServerWork.logBytes(logs(number));
    }

    private ServerWork work(int number, ProcessHandle process) {
        return ServerWork.of(process, logs(number));
    }

    /**
     * Starts a server, and returns when it is up.
     *
     * @throws IOException if it runs already, or does not start; the message names its log
     */
    void start(int number) throws IOException, InterruptedException {
        awaitUp(number, launch(number, command(number)), ProgressWatch.begin());
    }

    /**
     * Starts the servers that do not run at the same time, so that they load their classes and
     * connect to each other meanwhile.
     *
     * @param servers those from 1 to this number
     * @param isUp gets the number of each server that is up, in ascending order
     * @throws IOException if one does not start; the message names its log
     */
    void startAll(int servers, IntConsumer isUp) throws IOException, InterruptedException {
        Map<Integer, Process> launched = new TreeMap<>();
        for (int number = 1; number <= servers; number++) {
            if (process(number).isEmpty()) {
                launched.put(number, launch(number, command(number)));
            }
        }
        for (int number = 1; number <= servers; number++) {
            Process process = launched.get(number);
            if (process != null) {
                awaitUp(number, process, ProgressWatch.begin());
            }
            isUp.accept(number);
        }
    }

    /**
     * Starts the process of a server.
     *
     * @throws IOException if it runs already, or there is no such command
     */
    Process launch(int number, List<String> command) throws IOException {
        if (process(number).isPresent()) {
            throw new IOException("server %s runs already".formatted(name(number)));
        }
        Files.createDirectories(directory.resolve(name(number)));
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log(number).toFile());
        ENVIRONMENT.forEach(builder.environment()::putIfAbsent);
        Process process = builder.start();
        Files.writeString(pidFile(number), Long.toString(process.pid()));
        return process;
    }

    /**
     * Returns when a server is up.
     *
     * @param watch ends the wait
     * @throws IOException if it does not start; the message names its log
     */
    void awaitUp(int number, Process process, ProgressWatch watch)
            throws IOException, InterruptedException {
        Path log = log(number);
        while (!Files.readString(log).contains(" is up: ")) {
            if (process.waitFor(LOOK)) {
                throw new IOException(
                        "server %s did not start; see '%s'".formatted(name(number), log));
            }
            Optional<String> end = watch.end(work(number, process.toHandle()));
            if (end.isPresent()) {
                throw new IOException(
                        "server %s did not start: %s; see '%s'"
                                .formatted(name(number), end.get(), log));
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
        String data = directory.resolve(name(number)).toString();
        Optional<ProcessHandle> runningProcess = numbered(number);
        return runningProcess.isPresent() && arguments(runningProcess.get()).contains(data)
                ? runningProcess
                : Optional.empty();
    }

    /** Returns whether the process of a server that was started has ended. */
    boolean hasEnded(int number) throws IOException {
        return numbered(number).isEmpty();
    }

    /** Returns the process with the number in the file of a server, if it runs. */
    private Optional<ProcessHandle> numbered(int number) throws IOException {
        try {
            long pid = Long.parseLong(Files.readString(pidFile(number)).strip());
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
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

    /**
     * Ends a server at once, as {@code kill -9} does, and returns when its process is gone. Returns
     * whether it ran.
     *
     * @throws IOException if the process does not end
     */
    boolean kill(int number) throws IOException, InterruptedException {
        Optional<ProcessHandle> process = process(number);
        if (process.isPresent()) {
            process.get().destroyForcibly();
            Optional<String> end = awaitEnd(process.get(), number, ProgressWatch.begin());
            if (end.isPresent()) {
                throw new IOException(
                        "process %d of server %s does not end: %s"
                                .formatted(process.get().pid(), name(number), end.get()));
            }
        }
        Files.deleteIfExists(pidFile(number));
        return process.isPresent();
    }

    /**
     * The end of all servers.
     *
     * @param count the number of those that ran
     * @param killed the numbers of those that made no progress while they stopped
     */
    record Stopped(int count, List<Integer> killed) {}

    /** Stops all servers at the same time, so that none waits for another to take over. */
    Stopped stopAll() throws IOException, InterruptedException {
        Map<Integer, ProcessHandle> running = new TreeMap<>();
        for (int number : servers()) {
            process(number).ifPresent(process -> running.put(number, process));
        }
        running.values().forEach(ProcessHandle::destroy);
        List<Integer> killed = new ArrayList<>();
        for (Map.Entry<Integer, ProcessHandle> each : running.entrySet()) {
            if (awaitEnd(each.getValue(), each.getKey(), ProgressWatch.begin()).isPresent()) {
                each.getValue().destroyForcibly();
                killed.add(each.getKey());
            }
        }
        for (int number : servers()) {
            Files.deleteIfExists(pidFile(number));
        }
        return new Stopped(running.size(), List.copyOf(killed));
    }

    /** Waits for the end of a process. Returns why the wait ended before; empty if it has ended. */
    private Optional<String> awaitEnd(ProcessHandle process, int number, ProgressWatch watch)
            throws InterruptedException {
        CompletableFuture<ProcessHandle> exit = process.onExit();
        while (true) {
            try {
                exit.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                return Optional.empty();
            } catch (TimeoutException _) {
                Optional<String> end = watch.end(work(number, process));
                if (end.isPresent()) {
                    return end;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a process never ends with an exception", e);
            }
        }
    }
}
