package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerStreamTest {
    private static final byte[] NOTHING = {};

    private final ArrayByteBufferPool.Tracking pool = new ArrayByteBufferPool.Tracking();
    private final Server server = new Server(null, null, pool);
    private final LocalConnector connector = new LocalConnector(server);
    private final AtomicReference<byte[]> body = new AtomicReference<>(NOTHING);
    private final AtomicReference<Integer> piece = new AtomicReference<>(1);

    /** Writes a body in pieces; fails after it if the path is {@code /fails}. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws IOException {
                    try (var out = new AnswerStream(request, response)) {
                        byte[] all = body.get();
                        for (int at = 0; at < all.length; at += piece.get()) {
                            int length = Math.min(piece.get(), all.length - at);
                            if (length == 1) {
                                out.write(all[at]);
                            } else {
                                out.write(all, at, length);
                            }
                        }
                        if (request.getHttpURI().getPath().equals("/fails")) {
                            throw new IOException("on purpose");
                        }
                        out.end(callback);
                    }
                    return true;
                }
            };

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setErrorHandler(new JsonErrorHandler());
        server.setHandler(handler);
        server.start();
    }

    @AfterEach
    void letsGoOfAllBuffers() throws Exception {
        server.stop();
        assertThat(pool.getLeaks()).isEmpty();
    }

    /** Around the 32 KiB that are gathered, and several times as much. */
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "1700, 400",
        "8000, 8000",
        "32767, 1",
        "32768, 1",
        "32768, 32768",
        "32769, 1",
        "32769, 40000",
        "65536, 8000",
        "65537, 65537",
        "200000, 7",
        "200001, 100000",
    })
    void sendsWhatWasWritten(int length, int pieces) throws Exception {
        byte[] all = new byte[length];
        new Random(length).nextBytes(all);
        body.set(all);
        piece.set(pieces);

        HttpTester.Response answer = get("/");

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getContentBytes()).isEqualTo(all);
        if (length <= 32 * 1024) {
            assertThat(answer.get("Content-Length")).isEqualTo(Integer.toString(length));
            assertThat(answer.get("Transfer-Encoding")).isNull();
        } else {
            assertThat(answer.get("Transfer-Encoding")).isEqualTo("chunked");
        }
    }

    @Test
    void sendsNothingOfAShortAnswerThatFails() throws Exception {
        body.set("half of it".getBytes(ISO_8859_1));
        HttpTester.Response answer = get("/fails");

        assertThat(answer.getStatus()).isEqualTo(500);
        assertThat(answer.getContent())
                .isEqualTo("{\"message\":\"internal error; see the server's log\"}");
    }

    private HttpTester.Response get(String path) throws Exception {
        return HttpTester.parseResponse(
                connector.getResponse(
                        ByteBuffer.wrap(
                                ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                        .getBytes(ISO_8859_1))));
    }
}
