package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens a real port, which is the subject of the test. */
class HttpListenerTest {
    private final AtomicBoolean virtual = new AtomicBoolean();

    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    virtual.set(Thread.currentThread().isVirtual());
                    String path = Request.getPathInContext(request);
                    if (path.equals("/fails")) {
                        throw new IllegalStateException("a secret of the inside");
                    }
                    if (!path.equals("/there")) {
                        return false;
                    }
                    JsonReply.send(response, callback, 200, "message", "here");
                    return true;
                }
            };

    @Test
    void speaksBothProtocolsOnOnePort() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> first =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/there");

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(first.body()).isEqualTo("{\"message\":\"here\"}");
            assertThat(first.headers().firstValue("content-type"))
                    .hasValue("application/json; charset=UTF-8");
            assertThat(virtual).isTrue();
            assertThat(Http2Preface.settingsFrom(listener.port())).isTrue();
        }
    }

    @Test
    void answers404ForMissingPaths() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/nowhere");

            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body())
                    .isEqualTo("{\"message\":\"nothing is served at /nowhere\"}");
        }
    }

    @Test
    void keepsTheInsideOfAFailureToItself() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/fails");

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body())
                    .isEqualTo("{\"message\":\"internal error; see the server's log\"}");
        }
    }

    /** Without the header, the client would lose the next request that it sends. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST /there   | Content-Length: 7          | ''             | true
                    PUT /there    | Content-Length: 7          | {"a"           | true
                    DELETE /there | Content-Length: 7          | ''             | true
                    POST /there   | Transfer-Encoding: chunked | ''             | true
                    POST /there   | Transfer-Encoding: chunked | 1;x;           | true
                    POST /nowhere | Content-Length: 7          | ''             | true
                    POST /fails   | Content-Length: 7          | ''             | true
                    POST /there   | Content-Length: 7          | {"a": 1}       | false
                    POST /there   | Transfer-Encoding: chunked | 1;x;0;;        | false
                    POST /nowhere | Content-Length: 7          | {"a": 1}       | false
                    GET /there    | Accept: */*                | ''             | false
                    """)
    void anAnswerBeforeTheBodyAnnouncesTheEndOfTheConnection(
            String line, String header, String sent, boolean isLast) throws Exception {
        String body = sent.replace(";", "\r\n").replace("{\"a\": 1}", "{\"a\":1}");
        try (var listener = start(HttpSettings.loopback(0));
                var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            String request = line + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
            socket.getOutputStream().write((request + body).getBytes(UTF_8));
            InputStream in = socket.getInputStream();
            String answer = headers(in);

            assertThat(answer.contains("Connection: close")).isEqualTo(isLast);
            if (isLast) {
                in.readAllBytes();
            } else {
                in.readNBytes(length(answer));
                socket.getOutputStream()
                        .write("GET /there HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
                assertThat(headers(in)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    private static String headers(InputStream in) throws IOException {
        var read = new StringBuilder();
        while (read.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    private static int length(String headers) {
        Matcher length = Pattern.compile("Content-Length: (\\d+)").matcher(headers);
        assertThat(length.find()).isTrue();
        return Integer.parseInt(length.group(1));
    }

    @Test
    void clientsOfHttp2GetAnswersThatCameBeforeTheirBodies() throws Exception {
        // Longer than what a client may send before it is asked for more.
        var body = new byte[4 << 20];
        try (var listener = start(HttpSettings.loopback(0))) {
            for (int i = 0; i < 5; i++) {
                try (var client = HttpClient.newHttpClient()) {
                    get(client, listener, HttpClient.Version.HTTP_2, "/there");
                    HttpResponse<String> answer =
                            client.send(
                                    HttpRequest.newBuilder(URI.create(listener.url() + "/there"))
                                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString());

                    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                    assertThat(answer.body()).isEqualTo("{\"message\":\"here\"}");
                }
            }
        }
    }

    /** Each of these clients has hundreds of frames on the way when its requests end. */
    @Test
    void clientsOfHttp2GetAnswersToManyRequestsThatEndBeforeTheirBodies() throws Exception {
        var body = new byte[4 << 20];
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            get(client, listener, HttpClient.Version.HTTP_2, "/there");
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(listener.url() + "/there"))
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build();
            List<CompletableFuture<HttpResponse<String>>> answers =
                    IntStream.range(0, 32)
                            .mapToObj(_ ->
                                    client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                            .toList();

            try {
                for (var answer : answers) {
                    assertThat(answer.get(1, TimeUnit.MINUTES).version())
                            .isEqualTo(HttpClient.Version.HTTP_2);
                    assertThat(answer.join().body()).isEqualTo("{\"message\":\"here\"}");
                }
            } finally {
                // Closing would wait for requests without an answer.
                client.shutdownNow();
            }
        }
    }

    /** A client that does nothing but ping is cut off, and others are served. */
    @Test
    void closesAnHttp2ConnectionThatSendsTooManyFramesOfControl() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            assertThat(Http2Preface.isClosedAfterPings(listener.port(), 1_000_000)).isTrue();

            assertThat(get(client, listener, HttpClient.Version.HTTP_2, "/there").statusCode())
                    .isEqualTo(200);
        }
    }

    /** The answer closes the connection, so the server can stop. */
    @Test
    void answersRequestsOnOpenConnectionsWhileItStops() throws Exception {
        var server = new Server();
        var connector = new LocalConnector(server);
        server.addConnector(connector);
        var last = new LastRequests(new Handler.Sequence(handler, new NotFoundHandler()));
        server.setHandler(last);
        server.start();
        try {
            assertThat(connector.getResponse(get("/there")))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Connection: close");
            last.shutdown().get(30, TimeUnit.SECONDS);

            assertThat(connector.getResponse(get("/there")))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Connection: close\r\n");
            assertThat(connector.getResponse(get("/fails"))).startsWith("HTTP/1.1 500 ");
        } finally {
            server.stop();
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({"/document/v1/ns/t/docid/1,true", "/search/,false"})
    void refusedRequestsMayBeSentAgain(String path, boolean isOfDocuments) throws Exception {
        var server = new Server();
        var connector = new LocalConnector(server);
        server.addConnector(connector);
        server.setErrorHandler(new JsonErrorHandler());
        var graceful = new GracefulHandler(handler);
        server.setHandler(graceful);
        server.start();
        try {
            graceful.shutdown().get(30, TimeUnit.SECONDS);
            String answer = connector.getResponse(get(path));

            assertThat(answer)
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: 1\r\n", "application/json; charset=UTF-8")
                    .contains(
                            isOfDocuments
                                    ? "{\"pathId\":\"" + path + "\",\"message\":\""
                                    : "{\"message\":\"");
        } finally {
            server.stop();
        }
    }

    /** The server has read nothing of such a request, not even its path. */
    @ParameterizedTest
    @CsvSource({
        "/document/v1/ns/t/docid/%00, Illegal character in path",
        "/document/v1/ns/t/docid/%zz, !hex z"
    })
    void saysWhatIsWrongWithAPathThatCannotBeRead(String path, String problem) throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer)
                    .startsWith("HTTP/1.1 400 ")
                    .endsWith("{\"message\":\"the request cannot be read: " + problem + "\"}");
        }
    }

    @Test
    void letsConnectionsWaitUntilItAccepts() throws Exception {
        try (var listener =
                        HttpListener.open(
                                HttpSettings.loopback(0),
                                handler,
                                _ -> false,
                                () -> BrowserRules.NONE,
                                new AccessLog(),
                                new CompositeMeterRegistry());
                var client = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            client.getOutputStream()
                    .write("GET /there HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(UTF_8));
            client.setSoTimeout(100);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> client.getInputStream().read());

            listener.accept();

            client.setSoTimeout(60_000);
            assertThat(new String(client.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 200");
        }
    }

    @Test
    void namesThePortItCannotHave() throws Exception {
        try (var first = start(HttpSettings.loopback(0))) {
            int taken = first.port();

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            HttpListener.start(
                                    HttpSettings.loopback(taken),
                                    new NotFoundHandler(),
                                    new AccessLog()))
                    .withMessageStartingWith("cannot listen on 127.0.0.1:" + taken + ": ");
        }
    }

    @Test
    void compressesWhatIsLongForClientsThatAsk() throws Exception {
        String text = "a text that comes again and again, ".repeat(100_000);
        Handler answers =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        boolean isShort = request.getHttpURI().getPath().equals("/short");
                        JsonReply.send(response, callback, 200, "t", isShort ? "x" : text);
                        return true;
                    }
                };
        try (var listener = HttpListener.start(HttpSettings.loopback(0), answers, new AccessLog());
                var client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> gzip = bytes(client, listener, "/", "br, gzip;q=0.5");
            HttpResponse<byte[]> plain = bytes(client, listener, "/", "gzip;q=0, br");
            HttpResponse<byte[]> brief = bytes(client, listener, "/short", "gzip");

            String expected = "{\"t\":\"" + text + "\"}";
            assertThat(gzip.headers().firstValue("content-encoding")).hasValue("gzip");
            assertThat(gzip.body().length).isLessThan(text.length() / 50);
            assertThat(
                            new String(
                                    new GZIPInputStream(new ByteArrayInputStream(gzip.body()))
                                            .readAllBytes(),
                                    UTF_8))
                    .isEqualTo(expected);
            assertThat(plain.headers().firstValue("content-encoding")).isEmpty();
            assertThat(new String(plain.body(), UTF_8)).isEqualTo(expected);
            assertThat(brief.headers().firstValue("content-encoding")).isEmpty();
            assertThat(new String(brief.body(), UTF_8)).isEqualTo("{\"t\":\"x\"}");
            for (HttpResponse<byte[]> each : List.of(gzip, plain, brief)) {
                assertThat(each.headers().allValues("vary")).containsExactly("Accept-Encoding");
            }
        }
    }

    @Test
    void compressesStreamsAsTheyAreWritten() throws Exception {
        var next = new Semaphore(0);
        Handler answers =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        for (int i = 0; i < 3; i++) {
                            Content.Sink.write(
                                    response,
                                    i == 2,
                                    ByteBuffer.wrap(("line " + i + "\n").getBytes(UTF_8)));
                            // The client has read this line before the next is written.
                            if (i < 2 && !next.tryAcquire(30, TimeUnit.SECONDS)) {
                                throw new IllegalStateException("nobody read line " + i);
                            }
                        }
                        callback.succeeded();
                        return true;
                    }
                };
        try (var listener = HttpListener.start(HttpSettings.loopback(0), answers, new AccessLog());
                var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(listener.url() + "/"))
                            .header("Accept-Encoding", "gzip")
                            .build();
            HttpResponse<InputStream> response =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            // A reader of characters would wait for more than a line.
            try (var bytes = new GZIPInputStream(response.body(), 16)) {
                for (int i = 0; i < 3; i++) {
                    String line = "line " + i + "\n";
                    assertThat(new String(bytes.readNBytes(line.length()), UTF_8)).isEqualTo(line);
                    next.release();
                }
                assertThat(bytes.read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void compressesPiecesOfAnyLengthToTheirEnd() throws Exception {
        long seed = Long.getLong("crabro.seed", 2027);
        var random = new Random(seed);
        var pieces = new AtomicReference<List<byte[]>>(List.of());
        Handler answers =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        List<byte[]> left = pieces.get();
                        for (int i = 0; i < left.size(); i++) {
                            Content.Sink.write(
                                    response, i == left.size() - 1, ByteBuffer.wrap(left.get(i)));
                        }
                        callback.succeeded();
                        return true;
                    }
                };
        try (var listener = HttpListener.start(HttpSettings.loopback(0), answers, new AccessLog());
                var client = HttpClient.newHttpClient()) {
            for (int round = 0; round < 200; round++) {
                var all = new ByteArrayOutputStream();
                var next = new ArrayList<byte[]>();
                for (int i = random.nextInt(1, 5); i > 0; i--) {
                    // Some that shrink and some that do not, around the size of buffers too.
                    byte[] piece =
                            new byte
                                    [random.nextInt(4) == 0
                                            ? 65_530 + random.nextInt(12)
                                            : random.nextInt(200_000)];
                    if (random.nextBoolean()) {
                        random.nextBytes(piece);
                    }
                    next.add(piece);
                    all.writeBytes(piece);
                }
                pieces.set(next);
                byte[] body = bytes(client, listener, "/", "gzip").body();

                assertThat(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes())
                        .as("round %d, seed %d", round, seed)
                        .isEqualTo(all.toByteArray());
            }
        }
    }

    private static HttpResponse<byte[]> bytes(
            HttpClient client, HttpListener listener, String path, String accepted)
            throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(listener.url() + path))
                        .header("Accept-Encoding", accepted)
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private HttpListener start(HttpSettings settings) throws IOException {
        return HttpListener.start(
                settings, new Handler.Sequence(handler, new NotFoundHandler()), new AccessLog());
    }

    private static HttpResponse<String> get(
            HttpClient client, HttpListener listener, HttpClient.Version version, String path)
            throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(listener.url() + path)).version(version).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
