package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed bodies at a real port, for handlers of both kinds of threads. */
class UnpackedBodiesTest {
    /** The bound of the handler. */
    private static final int BODY_BYTES_MAX = 10_000_000;

    /** Answers with what it sees of a request, and refuses long bodies. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws Exception {
                    byte[] body;
                    try (InputStream in = Content.Source.asInputStream(request)) {
                        body = in.readNBytes(BODY_BYTES_MAX + 1);
                    }
                    if (body.length > BODY_BYTES_MAX) {
                        UnreadBody.drain(
                                request,
                                response,
                                callback,
                                sent -> JsonReply.send(response, sent, 413, "message", "too long"));
                        return true;
                    }
                    response.getHeaders()
                            .put(
                                    "Seen",
                                    request.getHeaders().contains(HttpHeader.CONTENT_ENCODING)
                                            + " "
                                            + request.getLength());
                    response.write(true, java.nio.ByteBuffer.wrap(body), callback);
                    return true;
                }
            };

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpListener listener;

    @BeforeEach
    void start() throws IOException {
        listener =
                HttpListener.start(
                        HttpSettings.loopback(0),
                        handler,
                        request -> Request.getPathInContext(request).startsWith("/scan"),
                        () -> BrowserRules.NONE,
                        new AccessLog());
    }

    @AfterEach
    void stop() {
        client.close();
        listener.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/scan, POST, 0",
        "/scan, POST, 1",
        "/scan, POST, 1000",
        "/scan, POST, 3000000",
        "/other, POST, 1000",
        "/other, PUT, 3000000",
        "/other, DELETE, 10"
    })
    void unpacksBodiesOfEachMethodAndThread(String path, String method, int length)
            throws Exception {
        byte[] body = body(length);

        HttpResponse<byte[]> answer = send(path, method, gzip(body), "gzip");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.headers().firstValue("Seen")).contains("false -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZip", "x-gzip", "identity, gzip", "gzip,identity", " gzip "})
    void knowsTheNamesOfGzip(String encoding) throws Exception {
        assertThat(send("/scan", "POST", gzip(body(100)), encoding).body()).isEqualTo(body(100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "Identity", "identity, identity"})
    void leavesOtherBodiesAsTheyAre(String encoding) throws Exception {
        HttpResponse<byte[]> answer = send("/scan", "POST", body(100), encoding);

        assertThat(answer.body()).isEqualTo(body(100));
        assertThat(answer.headers().firstValue("Seen")).contains("true 100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    br                 | br
                    zstd               | zstd
                    deflate            | deflate
                    compress           | compress
                    gzip, gzip         | gzip, gzip
                    gzip, br           | gzip, br
                    GZIP;q=1           | gzip;q=1
                    nonsense           | nonsense
                    """)
    void refusesOtherEncodings(String encoding, String named) throws Exception {
        for (String path : new String[] {"/scan", "/other", "/document/v1/a/b/docid/1"}) {
            HttpResponse<byte[]> answer = send(path, "POST", gzip(body(100)), encoding);

            assertThat(answer.statusCode()).isEqualTo(415);
            assertThat(answer.headers().firstValue("Accept-Encoding")).contains("gzip");
            assertThat(new String(answer.body(), ISO_8859_1))
                    .contains(
                            "Content-Encoding: expected gzip or identity but found '"
                                    + named
                                    + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/scan", "/other"})
    void refusesBodiesThatAreNotCompressed(String path) throws Exception {
        byte[] whole = gzip(body(100_000));
        for (byte[] wrong :
                new byte[][] {
                    "{}".getBytes(ISO_8859_1),
                    Arrays.copyOf(whole, whole.length - 1),
                    Arrays.copyOf(whole, 12),
                    Arrays.copyOf(whole, whole.length + 1)
                }) {
            HttpResponse<byte[]> answer = send(path, "POST", wrong, "gzip");

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(new String(answer.body(), ISO_8859_1))
                    .contains("the body is not compressed with gzip");
        }
        assertThat(send(path, "POST", whole, "gzip").body()).isEqualTo(body(100_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/scan", "/other"})
    void leavesTheBoundOfABodyToItsHandler(String path) throws Exception {
        byte[] bomb = bomb();

        HttpResponse<byte[]> answer = send(path, "POST", bomb, "gzip");

        assertThat(bomb).hasSizeLessThan(1 << 20);
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(send(path, "POST", gzip(body(10)), "gzip").body()).isEqualTo(body(10));
    }

    @Test
    void unpacksBodiesOfStreams() throws Exception {
        try (HttpClient streams =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            byte[] body = body(500_000);
            HttpResponse<byte[]> answer =
                    streams.send(
                            request("/other", "POST", gzip(body), "gzip"),
                            HttpResponse.BodyHandlers.ofByteArray());

            assertThat(answer.body()).isEqualTo(body);
        }
    }

    private HttpResponse<byte[]> send(String path, String method, byte[] body, String encoding)
            throws Exception {
        return client.send(
                request(path, method, body, encoding), HttpResponse.BodyHandlers.ofByteArray());
    }

    private HttpRequest request(String path, String method, byte[] body, String encoding) {
        return HttpRequest.newBuilder(URI.create(listener.url() + path))
                .header("Content-Encoding", encoding)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    /** Returns less than 1 MiB that unpack to 200 MiB. */
    private static byte[] bomb() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                gzip.write(zeros);
            }
        }
        return packed.toByteArray();
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] body(int length) {
        var body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) ('a' + (i + i / 26) % 26);
        }
        return body;
    }
}
