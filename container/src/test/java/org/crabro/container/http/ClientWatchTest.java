package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.crabro.protocol.wire.CancellationToken;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientWatchTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final int TIMEOUT_SECONDS = 30;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final CompletableFuture<CancellationToken> watched = new CompletableFuture<>();
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private final CountDownLatch end = new CountDownLatch(1);

    /** Answers {@code /long} when its client has left or {@link #end} is reached. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    if (Request.getPathInContext(request).equals("/long")) {
                        CancellationToken token = ClientWatch.of(request);
                        watched.complete(token);
                        EVENTUALLY.until(() -> token.isCancelled() || end.getCount() == 0);
                        outcome.complete(token.isCancelled());
                    }
                    String path = Request.getPathInContext(request);
                    JsonReply.send(response, callback, 200, "path", path);
                    return true;
                }
            };

    @BeforeEach
    void start() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        server.stop();
    }

    @Test
    void cancelsTheRequestOfAClientThatLeaves() throws Exception {
        try (Socket client = connect()) {
            send(client, "/long");
            assertThat(watched.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).isCancelled()).isFalse();
        }

        assertThat(outcome.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void letsTheRequestOfAClientThatWaitsEnd() throws Exception {
        try (Socket client = connect()) {
            send(client, "/long");
            CancellationToken token = watched.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            readSeveralTimes(token);
            end.countDown();

            assertThat(outcome.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isFalse();
            assertThat(line(client)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    /** A client may send the next request before the first is answered. */
    @Test
    void keepsTheNextRequestOnTheConnection() throws Exception {
        try (Socket client = connect()) {
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
            send(client, "/long");
            CancellationToken token = watched.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            send(client, "/next");
            readSeveralTimes(token);
            end.countDown();

            assertThat(outcome.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isFalse();
            String answers = "";
            while (!answers.contains("/next\"}")) {
                answers += (char) client.getInputStream().read();
            }
            assertThat(answers).containsSubsequence("/long", "HTTP/1.1 200 OK", "/next");
        }
    }

    /** Checks the token for so long that the server reads the connection more than once. */
    private static void readSeveralTimes(CancellationToken token) {
        EVENTUALLY
                .during(Duration.ofNanos(3 * ClientWatch.INTERVAL_NANOS))
                .untilAsserted(() -> assertThat(token.isCancelled()).as("cancelled").isFalse());
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    }

    private static void send(Socket client, String path) throws IOException {
        String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path);
        client.getOutputStream().write(request.getBytes(US_ASCII));
    }

    private static String line(Socket client) throws IOException {
        var line = new StringBuilder();
        for (int next = client.getInputStream().read();
                next != '\r';
                next = client.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
