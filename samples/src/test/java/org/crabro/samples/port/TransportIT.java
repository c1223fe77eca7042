package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.eclipse.jetty.client.AsyncRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What clients and servers say to each other below documents: both versions of HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransportIT {
    private static final String NOTE = "/document/v1/ns/note/docid/";
    private static final int STREAMS = 128;
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir static Path data;

    private ServedPackage served;
    private HttpClient http2;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
        http2 = http2();
    }

    @AfterAll
    void stop() throws Exception {
        http2.stop();
        served.close();
    }

    /** A client that begins with HTTP/2 at once, on one connection. */
    private static HttpClient http2() throws Exception {
        var client = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()));
        client.setMaxConnectionsPerDestination(1);
        client.setMaxRequestsQueuedPerDestination(10_000);
        client.start();
        return client;
    }

    @Test
    void shakesHandsByPriorKnowledge() throws Exception {
        ContentResponse response =
                http2.POST(
                                served.container(
                                        "/document/v1/feeder/handshake/docid/dummy?dryRun=true&timeout=29993ms"))
                        .send();

        assertThat(response.getVersion()).isEqualTo(HttpVersion.HTTP_2);
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(Http.JSON.readTree(response.getContentAsString()).isObject()).isTrue();
    }

    /** All 128 are open before one may end: their bodies end only then. */
    @Test
    void keeps128StreamsOfAConnectionOpenAtOnce() throws Exception {
        Set<String> problems = ConcurrentHashMap.newKeySet();
        var begun = new CountDownLatch(STREAMS);
        var ended = new CountDownLatch(STREAMS);
        List<AsyncRequestContent> bodies = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            int id = i;
            var body = new AsyncRequestContent("application/json", utf8("{\"fields\":"));
            bodies.add(body);
            Request request = http2.POST(served.container(NOTE + "stream" + i)).body(body);
            request.onRequestHeaders(_ -> begun.countDown());
            request.send(result -> {
                if (result.isFailed() || result.getResponse().getStatus() != 200) {
                    problems.add(id + ": " + result);
                }
                ended.countDown();
            });
        }
        assertThat(begun.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(ended.getCount()).isEqualTo(STREAMS);
        for (int i = 0; i < STREAMS; i++) {
            bodies.get(i)
                    .write(utf8("{\"year\":" + i + "}}"), org.eclipse.jetty.util.Callback.NOOP);
            bodies.get(i).close();
        }

        assertThat(ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(problems).isEmpty();
        for (int i = 0; i < STREAMS; i++) {
            JsonNode fields = served.get(NOTE + "stream" + i).json().get("fields");
            assertThat(fields.get("year").asInt()).isEqualTo(i);
        }
    }

    @Test
    void acceptsDocumentsOfAMebibyteOnEveryStream() throws Exception {
        String text = "x".repeat(1 << 20);
        var ended = new CountDownLatch(STREAMS);
        Set<String> problems = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < STREAMS; i++) {
            http2.POST(served.container(NOTE + "large"))
                    .body(
                            new StringRequestContent(
                                    "application/json", "{\"fields\":{\"text\":\"" + text + "\"}}"))
                    .send(result -> {
                        int status = result.isFailed() ? 0 : result.getResponse().getStatus();
                        // Many at once may be too much at once; then all is said quickly.
                        if (status != 200 && status != 429) {
                            problems.add(String.valueOf(result));
                        }
                        ended.countDown();
                    });
        }

        assertThat(ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(problems).isEmpty();
        assertThat(served.get(NOTE + "large").body()).hasSizeGreaterThan(text.length());
    }

    /** Clients keep connections: what one refused must not cost the next request. */
    @Test
    void goesOnWithAConnectionWhoseBodyItRefused() throws Exception {
        String body = "x".repeat(500_000);
        String refused =
                "POST /document/v1/ns/no/docid/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n";
        try (Socket socket = served.open(refused)) {
            // Enough to be refused by, long before the end of the body.
            OutputStream out = socket.getOutputStream();
            out.write(body.substring(0, 100).getBytes(UTF_8));
            out.flush();
            out.write(body.substring(100).getBytes(UTF_8));
            out.write(
                    "GET /document/v1/ns/note/docid/none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(UTF_8));
            out.flush();
            String answers = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(answers).startsWith("HTTP/1.1 400 ").contains("HTTP/1.1 404 ");
        }
    }

    @Test
    void saysThatAConnectionEndsWhoseBodyIsTooLongToRead() throws Exception {
        try (Socket socket =
                served.open(
                        "POST /document/v1/ns/nothere/docid/1 HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Length: 50000000\r\n\r\nx")) {
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Connection: close");
        }
    }

    @Test
    void ignoresHeadersThatItDoesNotKnow() throws Exception {
        Answer answer =
                served.get(
                        NOTE + "1",
                        "Authorization",
                        "Bearer x",
                        "Vespa-Client-Version",
                        "8.0.0",
                        "X-Anything",
                        "y");

        assertThat(answer.status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /document/v1/a/b/docid/1 HTTP/1.1;Host: localhost;X-Large: ~ | 431",
                "GET /document/v1/a/b/docid/~ HTTP/1.1;Host: localhost            | 414",
                "GET /document/v1/a/b/docid/1 HTTP/9.9;Host: localhost            | 505",
                "GET /document/v1/a/b/docid/1 HTTP/1.1;Host x             | 400",
                "GET /document/v1/a/b/docid/1 HTTP/1.1                    | 400",
                "GET /document/v1/a/b/docid/%zz HTTP/1.1;Host: localhost          | 400",
                "nonsense                                                 | 400",
                "POST /document/v1/a/b/docid/1 HTTP/1.1;Host: localhost;Content-Length: many | 400",
                "POST /document/v1/a/b/docid/1 HTTP/1.1;Host: localhost;Transfer-Encoding: odd |"
                        + " 400",
            })
    void answersMalformedRequestsWithJson(String lines, int status) throws Exception {
        String answer =
                served.raw(
                        lines.strip().replace(";", "\r\n").replace("~", "x".repeat(70_000))
                                + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
        JsonNode body = Http.JSON.readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(head).contains("Content-Type: application/json; charset=UTF-8");
        assertThat(body.get("message").asString()).isNotEmpty();
        if (body.has("pathId")) {
            assertThat(body.get("pathId").asString()).startsWith("/document/v1/a/b/docid/");
        }
        assertThat(served.get("/status.html").status()).isEqualTo(200);
    }

    @Test
    void namesThePathOfReadableRequests() throws Exception {
        String answer =
                served.raw(
                        "GET /document/v1/a/b/docid/1 HTTP/1.1\r\nHost: localhost\r\nX-Large: "
                                + "x".repeat(70_000)
                                + "\r\n\r\n");

        assertThat(answer).contains("{\"pathId\":\"/document/v1/a/b/docid/1\",\"message\":\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/document/v1/ns/note/docid/1", "/search/?yql=x", "/document/v1/"})
    void answers503WhereNothingIsDeployed(String target, @TempDir Path empty) throws Exception {
        try (var bare = new ServedPackage(empty)) {
            Answer answer = bare.get(target);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.message()).contains("no application");
            assertThat(answer.json().has("pathId")).isEqualTo(target.startsWith("/document"));
            assertThat(bare.get("/status.html").status()).isEqualTo(404);
        }
    }

    /** While a stream is read by pages its answer is compressed by pages. */
    @Test
    void streamsVisitsCompressed() throws Exception {
        List<String> lines = new ArrayList<>();
        String text = "word ".repeat(20_000);
        for (int i = 0; i < 200; i++) {
            lines.add(
                    "{\"put\":\"id:ns:note:g=streamed:%d\",\"fields\":{\"text\":\"%s\"}}"
                            .formatted(i, text));
        }
        served.feed(lines);
        try (Socket socket =
                        served.open(
                                request(
                                        "GET /document/v1/ns/note/group/streamed/?stream=true"
                                                + " HTTP/1.0",
                                        "Host: localhost",
                                        "Accept: application/jsonl",
                                        "Accept-Encoding: gzip"));
                InputStream in = socket.getInputStream()) {
            var head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                head.append((char) in.read());
            }
            assertThat(head.toString())
                    .contains("Content-Encoding: gzip", "application/jsonl; charset=UTF-8");
            List<String> answers =
                    new String(new GZIPInputStream(in).readAllBytes(), UTF_8).lines().toList();
            assertThat(answers.stream().filter(line -> line.startsWith("{\"put\""))).hasSize(200);
            assertThat(answers.getLast())
                    .isEqualTo("{\"continuation\":{\"percentFinished\":100.0}}");
        }
    }

    private static String request(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
