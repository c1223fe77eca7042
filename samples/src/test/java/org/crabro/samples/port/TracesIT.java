package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;
import org.crabro.container.trace.TraceSettings;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.crabro.server.WireSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The spans of a query, from its sender through the container to the content node. */
class TracesIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private final Queue<String> collected = new ConcurrentLinkedQueue<>();

    @TempDir private Path directory;

    @Test
    void aQueryHasOneTraceInContainerAndContentNode() throws Exception {
        HttpServer collector = collector();
        try (HttpClient client = HttpClient.newHttpClient()) {
            ServerSettings settings = ServerSettings.onAnyPorts(directory);
            WireSettings wire = settings.wire();
            try (var server =
                    CrabroServer.start(
                            settings.with(new WireSettings(true, wire.limits(), wire.tls()))
                                    .with(
                                            new TraceSettings(
                                                    List.of(
                                                            "http://127.0.0.1:%d/v1/traces"
                                                                    .formatted(
                                                                            collector
                                                                                    .getAddress()
                                                                                    .getPort())),
                                                    0,
                                                    1_000)))) {
                URI deploy =
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate");
                send(client, deploy, "application/zip", NotesApplication.zip(), "");

                send(
                        client,
                        server.container().resolve("/search/"),
                        "application/json",
                        "{\"yql\":\"select * from note where true\",\"streaming.groupname\":\"a\",\"timeout\":\"30s\"}"
                                .getBytes(StandardCharsets.UTF_8),
                        "00-" + TRACE + "-00f067aa0ba902b7-01");
            }
        } finally {
            collector.stop(0);
        }

        String spans = String.join("", collected);
        assertThat(spans)
                .contains("POST /search/", "content node search")
                .doesNotContain("select * from note");
        String trace = new String(HexFormat.of().parseHex(TRACE), StandardCharsets.ISO_8859_1);
        // Of the request, of the call, and of the content node.
        assertThat(spans.split(trace, -1)).hasSize(1 + 3);
    }

    private HttpServer collector() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/v1/traces",
                exchange -> {
                    try (exchange;
                            var body = new GZIPInputStream(exchange.getRequestBody())) {
                        // A byte becomes a character, so that ids can be found.
                        collected.add(new String(body.readAllBytes(), StandardCharsets.ISO_8859_1));
                        exchange.sendResponseHeaders(200, -1);
                    }
                });
        server.start();
        return server;
    }

    private static void send(
            HttpClient client, URI address, String type, byte[] body, String parent)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofByteArray(body));
        if (!parent.isEmpty()) {
            request.header("traceparent", parent);
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
