package org.crabro.client.mcp;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.crabro.client.cli.ServerProcess;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.UnreachableServerException;
import org.jspecify.annotations.Nullable;

/**
 * The server behind a {@link McpBridge}: a running one, or one that is started for a directory and
 * stops with this process. If the server of a directory ends, the next request looks for it again.
 */
final class BridgedServer implements AutoCloseable {
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);

    /** The time that a server has to stop. */
    private static final Duration IN_USE_WAIT = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final URI HEALTH = URI.create("/state/v1/health");
    private static final String IN_USE = "is in use by another process";

    /** In the data of a server that this command has started: the server's address. */
    private static final Path ADDRESS = Path.of("mcp", "address");

    private static final int ADDRESS_BYTES_MAX = 1000;

    private final ServerAccess target;
    private final Optional<Path> data;
    private final PrintStream log;
    private final HttpClient http;
    private final ReentrantLock opening = new ReentrantLock();
    private ServerAccess access;
    private @Nullable ServerProcess started;

    private BridgedServer(ServerAccess target, Optional<Path> data, PrintStream log) {
        this.target = target;
        this.data = data;
        this.log = log;
        this.http = target.open(HttpClient.Version.HTTP_1_1);
        this.access = target;
    }

    /**
     * Finds a server, or starts one.
     *
     * @param target the running server if there is no directory, or if it has the directory open
     * @param data the directory of a server that is started, unless it runs
     * @param log gets lines for people
     * @throws IOException if there is none, and none can be started
     */
    static BridgedServer open(ServerAccess target, Optional<Path> data, PrintStream log)
            throws IOException, InterruptedException {
        var server = new BridgedServer(target, data, log);
        try {
            server.find();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Sends a request. If the server of a directory does not answer any more, another one is found
     * or started, and the request is sent again.
     */
    <T> HttpResponse<T> send(
            Function<ServerAccess, HttpRequest> request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        ServerAccess present = access();
        try {
            return present.send(http, request.apply(present), body);
        } catch (UnreachableServerException e) {
            if (data.isEmpty()) {
                throw e;
            }
            ServerAccess other = replacement(present);
            return other.send(http, request.apply(other), body);
        }
    }

    private ServerAccess access() {
        opening.lock();
        try {
            return access;
        } finally {
            opening.unlock();
        }
    }

    private ServerAccess replacement(ServerAccess failed) throws IOException, InterruptedException {
        opening.lock();
        try {
            // Another request may have found it already.
            if (access.equals(failed)) {
                find();
            }
            return access;
        } finally {
            opening.unlock();
        }
    }

    private void find() throws IOException, InterruptedException {
        if (data.isEmpty()) {
            if (!isUp(target)) {
                throw new IOException(
                        "no server answers at %s: start one with 'crabro serve', or name the directory of its data with --data"
                                .formatted(target));
            }
            access = target;
            return;
        }
        Path directory = data.get();
        long begin = System.nanoTime();
        while (true) {
            Optional<ServerAccess> other = ofAnother(directory);
            if (other.isPresent()) {
                access = other.get();
                return;
            }
            try {
                start(directory);
                return;
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains(IN_USE)) {
                    throw e;
                }
            }
            // A server of this command that stops or starts has an address, or will have one.
            if (!Files.exists(directory.resolve(ADDRESS)) && isUp(target)) {
                access = target;
                return;
            }
            if (System.nanoTime() - begin > IN_USE_WAIT.toNanos()) {
                throw new IOException(
                        "a server has %s open, and it does not answer at %s: name its address with --target"
                                .formatted(directory, target));
            }
            Thread.sleep(PAUSE);
        }
    }

    private void start(Path directory) throws IOException {
        if (started != null) {
            started.close();
            started = null;
        }
        log.println("crabro mcp: starts a server with its data in " + directory);
        ServerProcess server =
                ServerProcess.start(
                        List.of(
                                "--data",
                                directory.toString(),
                                "--port",
                                "0",
                                "--config-port",
                                "0",
                                "--stop-with-input"));
        started = server;
        access = ServerAccess.of(server.container());
        Path address = directory.resolve(ADDRESS);
        Files.createDirectories(directory.resolve(ADDRESS.getName(0)));
        Files.writeString(address, server.container().toString());
        log.printf(
                "crabro mcp: the server is up at %s, config %s%n",
                server.container(), server.config());
    }

    /** Returns the server that another process of this command has started, if it answers. */
    private Optional<ServerAccess> ofAnother(Path directory) throws InterruptedException {
        Path file = directory.resolve(ADDRESS);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > ADDRESS_BYTES_MAX) {
                return Optional.empty();
            }
            URI address = URI.create(Files.readString(file).strip());
            // Servers that this command starts have no other addresses.
            if (!"http".equals(address.getScheme())
                    || address.getHost() == null
                    || !InetAddress.getByName(address.getHost()).isLoopbackAddress()) {
                throw new IOException("it has no address of this machine");
            }
            ServerAccess other = ServerAccess.of(address);
            return isUp(other) ? Optional.of(other) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            log.printf("crabro mcp: %s is not used: %s%n", file, e.getMessage());
            return Optional.empty();
        }
    }

    private boolean isUp(ServerAccess server) throws InterruptedException {
        try {
            HttpRequest request = server.request(HEALTH).timeout(HEALTH_TIMEOUT).GET().build();
            HttpResponse<Void> _ =
                    server.send(http, request, HttpResponse.BodyHandlers.discarding());
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Stops the server, if this process has started one. */
    @Override
    public void close() {
        opening.lock();
        try (ServerProcess _ = started) {
            if (started != null && data.isPresent()) {
                Files.deleteIfExists(data.get().resolve(ADDRESS));
            }
            started = null;
        } catch (IOException e) {
            log.println("crabro mcp: " + e.getMessage());
        } finally {
            opening.unlock();
        }
        http.close();
    }
}
