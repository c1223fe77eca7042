package org.crabro.client.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.process.ServerWork;

/**
 * A server in a process of its own. The launcher of this process starts it; if there is none, it
 * gets this process's Java, flags and class path.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile(
                    "is up: search (?:and documents )?(\\S+?), (?:documents \\S+, )?config (\\S+), data .*");
    private static final Pattern ANONYMOUS = Pattern.compile("RssAnon:\\s+(\\d+) kB");
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);
    private static final int LINES_KEPT = 20;

    private final Process process;
    private final URI container;
    private final URI config;

    private ServerProcess(Process process, URI container, URI config) {
        this.process = process;
        this.container = container;
        this.config = config;
    }

    /**
     * Starts a server and returns after it has printed its addresses.
     *
     * @param arguments of the command {@code serve}
     * @throws IOException if it ends before that; the message contains its output
     */
    public static ServerProcess start(List<String> arguments) throws IOException {
        return start(arguments, Map.of());
    }

    /**
     * Starts a server with additional environment variables.
     *
     * @throws IOException as above
     */
    public static ServerProcess start(List<String> arguments, Map<String, String> environment)
            throws IOException {
        var builder = new ProcessBuilder(command(arguments)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var said = new ArrayList<String>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                discardRemaining(reader);
                return new ServerProcess(
                        process, URI.create(ready.group(1)), URI.create(ready.group(2)));
            }
            if (said.size() < LINES_KEPT) {
                said.add(line);
            }
        }
        throw new IOException("the server did not start:\n" + String.join("\n", said));
    }

    /** Returns where search and documents are answered. */
    public URI container() {
        return container;
    }

    /** Returns where packages are deployed. */
    public URI config() {
        return config;
    }

    /** Returns the process's number. */
    public long pid() {
        return process.pid();
    }

    /** Returns what the process has done. Its log is read elsewhere. */
    ServerWork work() {
        return ServerWork.of(process.toHandle());
    }

    /** Returns the anonymous memory in KiB, if the system reports it. */
    public OptionalLong anonymousKib() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return OptionalLong.empty();
        }
        Matcher anonymous = ANONYMOUS.matcher(Files.readString(status));
        return anonymous.find()
                ? OptionalLong.of(Long.parseLong(anonymous.group(1)))
                : OptionalLong.empty();
    }

    /**
     * Waits for the process to end by itself; returns its exit status, or empty if it is still
     * running.
     */
    public OptionalInt exitStatus(Duration wait) throws InterruptedException {
        return process.waitFor(wait) ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    }

    /** Ends the process at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Requests that the server stops, and returns whether it ended within {@code wait}. */
    public boolean stop(Duration wait) throws InterruptedException {
        process.destroy();
        return process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops the server, and kills it if it does not end in time. */
    @Override
    public void close() {
        try {
            if (!stop(STOP_WAIT)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Reads on, so that the server never waits for a full pipe. */
    private static void discardRemaining(BufferedReader reader) {
        Thread.ofVirtual()
                .name("server-output")
                .start(() -> {
                    try (reader) {
                        reader.transferTo(java.io.Writer.nullWriter());
                    } catch (IOException e) {
                        // The server has ended, and there is no more output.
                        return;
                    }
                });
    }

    private static List<String> command(List<String> arguments) {
        var command = new ArrayList<String>();
        String launcher = System.getenv("CRABRO_LAUNCHER");
        if (launcher != null) {
            command.add(launcher);
        } else {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add("org.crabro.server.Crabro");
        }
        command.add("serve");
        command.addAll(arguments);
        return command;
    }
}
