package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.container.file.DurableFiles;

/**
 * A server that runs, as the file {@code running} of its data directory describes it. {@code crabro
 * stop} reads this file.
 *
 * @param pid the number of its process
 * @param started when its process started. Another process can have the number of an earlier one
 * @param addresses of its ports
 */
record RunningServer(long pid, Instant started, List<URI> addresses) {
    /** The name of the file. */
    static final String NAME = "running";

    /** The clock of the system can be set, and start times are counted from that of the system. */
    private static final Duration CLOCK_CHANGE = Duration.ofSeconds(5);

    /** A larger file is none of ours. */
    private static final int SIZE_MAX = 4_096;

    private static final String MAIN_CLASS = "org.crabro.server.Crabro";

    /** The names of the loopback interface, and of all interfaces. */
    private static final Set<String> LOOPBACK =
            Set.of("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]");

    RunningServer {
        addresses = List.copyOf(addresses);
    }

    /** Returns the server of this process. */
    static RunningServer ofThisProcess(List<URI> addresses) {
        ProcessHandle own = ProcessHandle.current();
        return new RunningServer(
                own.pid(), own.info().startInstant().orElse(Instant.EPOCH), addresses);
    }

    /** Writes the file into a data directory. */
    void write(Path data) throws IOException {
        var text = new StringBuilder();
        text.append("pid=").append(pid).append('\n');
        text.append("started=").append(started).append('\n');
        for (int i = 0; i < addresses.size(); i++) {
            text.append("address.").append(i).append('=').append(addresses.get(i)).append('\n');
        }
        DurableFiles.replace(data.resolve(NAME), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes the file of a data directory, unless it describes another server. */
    void remove(Path data) throws IOException {
        if (read(data).filter(this::equals).isPresent()) {
            Files.deleteIfExists(data.resolve(NAME));
        }
    }

    /**
     * Reads the file of a data directory; empty if there is none.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    static Optional<RunningServer> read(Path data) throws IOException {
        Path file = data.resolve(NAME);
        var properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SIZE_MAX + 1);
            if (bytes.length > SIZE_MAX) {
                throw new IOException(file + " is larger than " + SIZE_MAX + " bytes");
            }
            properties.load(new java.io.StringReader(new String(bytes, StandardCharsets.UTF_8)));
            return Optional.of(
                    new RunningServer(
                            Long.parseLong(properties.getProperty("pid", "")),
                            Instant.parse(properties.getProperty("started", "")),
                            Stream.iterate(0, i -> i + 1)
                                    .map(i -> properties.getProperty("address." + i))
                                    .takeWhile(java.util.Objects::nonNull)
                                    .map(URI::create)
                                    .toList()));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IllegalArgumentException | java.time.DateTimeException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the process, if it runs and is the server that wrote the file. So a changed file does
     * not lead to the end of another process.
     */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> isStartedThen(process.info()))
                .filter(process -> isServer(process));
    }

    /** Returns whether an address is one of the server; its path does not count. */
    boolean answersAt(URI address) {
        return addresses.stream().anyMatch(each -> place(each).equals(place(address)));
    }

    /** Returns scheme, host and port. The names of the loopback interface are the same host. */
    private static String place(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean isLoopback = LOOPBACK.contains(host);
        return "%s://%s:%d"
                .formatted(address.getScheme(), isLoopback ? "localhost" : host, address.getPort());
    }

    private boolean isStartedThen(ProcessHandle.Info info) {
        return info.startInstant()
                .filter(instant ->
                        Duration.between(instant, started).abs().compareTo(CLOCK_CHANGE) <= 0)
                .isPresent();
    }

    /** Returns whether a process runs {@code crabro serve}. */
    static boolean isServer(ProcessHandle process) {
        List<String> arguments = arguments(process);
        int main = arguments.indexOf(MAIN_CLASS);
        boolean isJava =
                process.info().command().filter(each -> each.endsWith("/java")).isPresent();
        return isJava
                && main >= 0
                && main + 1 < arguments.size()
                && arguments.get(main + 1).equals("serve");
    }

    /** Returns the command line of a process; empty if the system does not show it. */
    static List<String> arguments(ProcessHandle process) {
        Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        try {
            // The JDK cuts long command lines.
            return List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0", -1));
        } catch (IOException _) {
            return process.info().arguments().map(List::of).orElse(List.of());
        }
    }
}
