package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.application.RemoteFiles;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;

/** Talks HTTP in memory to a handler over a directory, whose clock tests set. */
final class AdminConnection {
    static final String TENANT = "/application/v2/tenant/default";
    static final String SESSION = TENANT + "/session";
    static final String APPLICATION =
            TENANT + "/application/default/environment/prod/region/default/instance/default";

    final RecordedActivation activation = new RecordedActivation();
    final LogRing logs = new LogRing("h", 7);
    volatile Instant now = Instant.ofEpochMilli(5);
    private IntSupplier waitingUploads = () -> 0;
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    private AdminConnection() {}

    static AdminConnection open(
            Path directory, PackageLimits limits, SessionLimits sessions, long maxPackageBytes)
            throws Exception {
        return open(directory, limits, sessions, Duration.ofSeconds(10), maxPackageBytes);
    }

    /** Does the same for uploads that are idle after this time. */
    static AdminConnection open(
            Path directory,
            PackageLimits limits,
            SessionLimits sessions,
            Duration idle,
            long maxPackageBytes)
            throws Exception {
        var connection = new AdminConnection();
        var register = ReindexRegister.open(directory.resolve("reindexing"), () -> connection.now);
        var deployments =
                new Deployments(
                        PackageStore.open(directory),
                        RemoteFiles.NONE,
                        new DeployLimits(limits, sessions, idle, Duration.ZERO),
                        connection.activation,
                        register,
                        () -> connection.now);
        connection.waitingUploads = deployments.uploads()::waiting;
        deployments.restore();
        // Paths come as they are on the real port.
        connection
                .connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        connection.server.addConnector(connection.connector);
        connection.server.setHandler(
                new Handler.Sequence(
                        new AdminHandler(
                                deployments,
                                register,
                                maxPackageBytes,
                                connection.logs,
                                () -> connection.now),
                        new NotFoundHandler()));
        connection.server.start();
        return connection;
    }

    /** Begins a request whose body has this length, and does not send it. */
    LocalConnector.LocalEndPoint begin(String path, String type, int length) {
        LocalConnector.LocalEndPoint client = connector.connect();
        String head =
                "POST %s HTTP/1.1\r\nHost: h:19071\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, type, length);
        // The thread that brings the request handles it.
        Thread.ofVirtual().start(() -> client.addInput(head));
        return client;
    }

    /** Returns how many uploads wait for their clients. */
    int waitingUploads() {
        return waitingUploads.getAsInt();
    }

    HttpTester.Response get(String path) throws Exception {
        return send("GET", path, "", new byte[0]);
    }

    /** Returns the whole answer, which has headers alone. */
    String head(String path) throws Exception {
        return connector.getResponse(
                "HEAD " + path + " HTTP/1.1\r\nHost: h:19071\r\nConnection: close\r\n\r\n");
    }

    HttpTester.Response put(String path) throws Exception {
        return send("PUT", path, "", new byte[0]);
    }

    HttpTester.Response put(String path, String body) throws Exception {
        return send("PUT", path, "", body.getBytes(ISO_8859_1));
    }

    HttpTester.Response delete(String path) throws Exception {
        return send("DELETE", path, "", new byte[0]);
    }

    HttpTester.Response post(String path, byte[] zip) throws Exception {
        return send("POST", path, "application/zip", zip);
    }

    HttpTester.Response send(String method, String path, String type, byte[] body)
            throws Exception {
        var bytes = new ByteArrayOutputStream();
        write(bytes, method + " " + path + " HTTP/1.1\r\nHost: h:19071\r\nConnection: close\r\n");
        write(bytes, type.isEmpty() ? "" : "Content-Type: " + type + "\r\n");
        write(bytes, "Content-Length: " + body.length + "\r\n\r\n");
        bytes.writeBytes(body);
        ByteBuffer reply = connector.getResponse(ByteBuffer.wrap(bytes.toByteArray()));
        return HttpTester.parseResponse(reply);
    }

    private static void write(ByteArrayOutputStream bytes, String text) throws IOException {
        bytes.write(text.getBytes(ISO_8859_1));
    }

    void close() throws Exception {
        server.stop();
    }
}
