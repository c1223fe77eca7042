package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests that platform threads answer, come as they may. Opens a real port. */
class GatheredBodiesTest {
    /** More than there are at a time of which a part is in memory. */
    private static final int MANY = 200;

    /** Answers with the kind of its thread and the body, which it reads as any other. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws Exception {
                    String body;
                    try (var in = Content.Source.asInputStream(request)) {
                        body = new String(in.readAllBytes(), ISO_8859_1);
                    } catch (IOException e) {
                        body = "ended early";
                    }
                    GatheredRequest gathered = Request.as(request, GatheredRequest.class);
                    if (gathered != null && gathered.isWhole()) {
                        assertThat(ISO_8859_1.decode(gathered.whole()).toString()).isEqualTo(body);
                    }
                    String kind = Thread.currentThread().isVirtual() ? "virtual" : "platform";
                    response.write(true, ISO_8859_1.encode(kind + " " + body), callback);
                    return true;
                }
            };

    private HttpListener listener;
    private Connections connections;

    @BeforeEach
    void start() throws IOException {
        start(HttpSettings.loopback(0));
    }

    private void start(HttpSettings settings) throws IOException {
        listener =
                HttpListener.start(
                        settings,
                        handler,
                        request -> Request.getPathInContext(request).startsWith("/scan"),
                        () -> BrowserRules.NONE,
                        new AccessLog());
        connections = new Connections(listener);
    }

    @AfterEach
    void stop() throws IOException {
        connections.close();
        listener.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/scan, 0, platform",
        "/scan, 1, platform",
        "/scan, 6000, platform",
        "/scan, 65536, platform",
        "/scan, 65537, virtual",
        "/scan, 3000000, virtual",
        "/other, 6000, virtual"
    })
    void answersShortBodiesOnTheThreadThatReadsThem(String path, int length, String thread)
            throws Exception {
        String body = body(length);
        Connection client = connections.open();

        client.send(head(path, length) + body);
        assertThat(client.answer()).isEqualTo(thread + " " + body);
        client.send(head(path, length));
        client.send(body);
        assertThat(client.answer()).isEqualTo(thread + " " + body);
    }

    @Test
    void acceptsBodiesInAnyPieces() throws Exception {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        Connection client = connections.open();
        for (int round = 0; round < 50; round++) {
            String body = body(random.nextInt(1, 2_000));
            String request =
                    random.nextBoolean()
                            ? head("/scan", body.length()) + body
                            : chunked(body, random);
            int from = 0;
            while (from < request.length()) {
                int to = Math.min(request.length(), from + 1 + random.nextInt(300));
                client.send(request.substring(from, to));
                from = to;
            }

            assertThat(client.answer())
                    .as("round %d, seed %d", round, seed)
                    .isEqualTo("platform " + body);
        }
    }

    @ParameterizedTest
    @CsvSource({"200, platform", "65537, virtual", "500000, virtual"})
    void acceptsChunksWithoutATotalLength(int length, String thread) throws Exception {
        String body = body(length);
        Connection client = connections.open();

        client.send(chunked(body, new Random(length)));

        assertThat(client.answer()).isEqualTo(thread + " " + body);
    }

    @Test
    void answersAllThatIsSentAtOnceInItsOrder() throws Exception {
        Connection client = connections.open();
        var requests = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            String body = body(100 * i);
            requests.append(
                    switch (i % 4) {
                        case 0 -> "GET /scan HTTP/1.1\r\nHost: localhost\r\n\r\n";
                        case 1 -> chunked(body, new Random(i));
                        case 2 -> head("/other", body.length()) + body;
                        default -> head("/scan", body.length()) + body;
                    });
        }
        int half = requests.length() - 700;
        client.send(requests.substring(0, half));
        for (int i = 0; i < 20; i++) {
            if (i == 19) {
                client.send(requests.substring(half));
            }
            String thread = i % 4 == 2 ? "virtual " : "platform ";
            assertThat(client.answer()).isEqualTo(thread + (i % 4 == 0 ? "" : body(100 * i)));
        }
    }

    @Test
    void answersOthersBesideManyWhoseBodiesStopInTheMiddle() throws Exception {
        String body = body(3_000);
        List<Connection> slow = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Connection client = connections.open();
            client.send(head("/scan", body.length()) + body.substring(0, 1_000));
            slow.add(client);
        }
        Connection other = connections.open();
        for (int i = 0; i < 20; i++) {
            other.send(head("/scan", body.length()) + body);
            assertThat(other.answer()).endsWith(" " + body);
            other.ask("/scan");
            assertThat(other.answer()).endsWith(" ");
        }
        for (Connection client : slow) {
            client.send(body.substring(1_000));
            assertThat(client.answer()).endsWith(" " + body);
            client.ask("/scan");
            assertThat(client.answer()).endsWith(" ");
        }
    }

    @Test
    void forgetsBodiesWhoseClientsGoAway() throws Exception {
        String body = body(3_000);
        try (var gone = new Connections(listener)) {
            for (int i = 0; i < MANY; i++) {
                gone.open().send(head("/scan", body.length()) + body.substring(0, 1_000));
            }
        }
        Connection left = connections.open();
        // The server discards a body after it has found its connection closed.
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> {
                    left.send(head("/scan", body.length()) + body);
                    assertThat(left.answer()).isEqualTo("platform " + body);
                });
    }

    /** A reader of a body that ends early gets an error on both paths. */
    @ParameterizedTest
    @ValueSource(strings = {"/scan", "/other"})
    void reportsBodiesThatEndEarly(String path) throws Exception {
        Connection client = connections.open();

        client.send(head(path, 2_000) + body(1_000));
        client.socket().shutdownOutput();

        assertThat(client.answer()).isEqualTo("virtual ended early");
    }

    @Test
    void asksForBodiesThatWaitToBeAskedFor() throws Exception {
        Connection client = connections.open();
        String head =
                head("/scan", 7)
                        .replace("Host: localhost", "Host: localhost\r\nExpect: 100-continue");

        client.send(head);
        assertThat(client.line()).isEqualTo("HTTP/1.1 100 Continue");
        assertThat(client.line()).isEmpty();
        client.send("content");

        assertThat(client.answer()).isEqualTo("virtual content");
    }

    @Test
    void gathersUnpackedBodies() throws Exception {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body(1_000).getBytes(ISO_8859_1));
        }
        Connection client = connections.open();

        client.send(
                head("/scan", compressed.size())
                        .replace("Host: localhost", "Host: localhost\r\nContent-Encoding: gzip"));
        client.send(compressed.toString(ISO_8859_1));

        assertThat(client.answer()).isEqualTo("platform " + body(1_000));
    }

    @ParameterizedTest
    @CsvSource({"0, platform", "6000, platform", "3000000, virtual"})
    void answersBodiesOfStreams(int length, String thread, @TempDir Path directory)
            throws Exception {
        stop();
        Certificates certificates = Certificates.in(directory);
        start(certificates.settings());
        String body = body(length);
        try (var client = certificates.client(false)) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create(listener.url() + "/scan"))
                                    .POST(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).isEqualTo(thread + " " + body);
        }
    }

    private static String head(String path, int length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, length);
    }

    private static String chunked(String body, Random random) {
        var request =
                new StringBuilder(
                        head("/scan", 7)
                                .replace("Content-Length: 7", "Transfer-Encoding: chunked"));
        int from = 0;
        while (from < body.length()) {
            int to = Math.min(body.length(), from + 1 + random.nextInt(1 + body.length() / 2));
            request.append(Integer.toHexString(to - from)).append("\r\n");
            request.append(body, from, to).append("\r\n");
            from = to;
        }
        return request.append("0\r\n\r\n").toString();
    }

    private static String body(int length) {
        var body = new StringBuilder();
        for (int i = 0; i < length; i++) {
            body.append((char) ('a' + (i + i / 26) % 26));
        }
        return body.toString();
    }
}
