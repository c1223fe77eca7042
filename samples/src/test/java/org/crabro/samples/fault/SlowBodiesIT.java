package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.eclipse.jetty.client.AsyncRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients of a real server that send a part of a body and then nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowBodiesIT {
    private static final String PUT = "/document/v1/test/note/group/anna/1";
    private static final String ADMIN = "/application/v2/tenant/default/";

    @TempDir static Path data;

    private ServerProcess server;

    @BeforeAll
    void start() throws Exception {
        server =
                QuickServer.start(
                        data,
                        List.of(
                                "http.bodies.minBytesPerSecond=1MiB",
                                "http.bodies.interval=300ms"));
        try (var http = new Http()) {
            assertThat(
                            http.post(
                                            server.config().resolve(ADMIN + "prepareandactivate"),
                                            "application/zip",
                                            NotesApplication.zip())
                                    .status())
                    .isEqualTo(200);
        }
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "false, POST, " + PUT + ", application/json, 1000",
        "false, PUT, /document/v1/test/note/docid?selection=true&cluster=notes, application/json,"
                + " 1000",
        "false, POST, /search/, application/json, 1000",
        "false, POST, /search/, application/json, 1000000",
        "true, POST, " + ADMIN + "prepareandactivate, application/zip, 1000000",
        "true, POST, " + ADMIN + "session, multipart/form-data; boundary=x, 1000000",
        "true, POST, /crabro/v1/backup, application/json, 1000",
    })
    void refusesSlowBodies(boolean isConfig, String method, String path, String type, int length)
            throws Exception {
        URI address = isConfig ? server.config() : server.container();
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(
                            "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n{"
                                    .formatted(method, path, type, length)
                                    .getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 408 ").contains("the body comes too slowly");
        }
    }

    @Test
    void refusesSlowBodiesOfHttp2AndServesTheConnection() throws Exception {
        var client = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()));
        client.setMaxConnectionsPerDestination(1);
        client.start();
        try {
            var never =
                    new AsyncRequestContent(
                            "application/json", ByteBuffer.wrap("{\"fields\"".getBytes(UTF_8)));
            var slow = client.POST(server.container().resolve(PUT)).body(never);
            // The server resets the stream after its answer, which this client counts as a failure.
            var refused = new CompletableFuture<Integer>();
            slow.onResponseHeaders(response -> refused.complete(response.getStatus()))
                    .send(_ -> refused.complete(0));
            int status = refused.get(60, TimeUnit.SECONDS);
            ContentResponse next = client.GET(server.container().resolve(PUT));

            assertThat(status).isEqualTo(408);
            assertThat(next.getStatus()).isEqualTo(404);
        } finally {
            client.stop();
        }
    }
}
