package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections with long requests next to others. Opens a real port. */
class SharedSelectorsTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final Semaphore waiting = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);

    /** Answers paths below {@code /scan/wait} when released, and all others at once. */
    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws Exception {
                    String path = Request.getPathInContext(request);
                    if (path.startsWith("/scan/wait")) {
                        waiting.release();
                        if (!end.await(20, TimeUnit.SECONDS)) {
                            throw new IllegalStateException("nobody ended the scan");
                        }
                    }
                    String kind = Thread.currentThread().isVirtual() ? "virtual" : "platform";
                    JsonReply.send(response, callback, 200, kind, path);
                    return true;
                }
            };

    @AfterEach
    void endScans() {
        end.countDown();
    }

    /** One; one at each selector; more than there are threads that scan. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 20})
    void answersConnectionsBesideThoseThatTakeLong(int times) throws Exception {
        int count = times == 1 ? 1 : times * PROCESSORS;
        try (var listener = start(HttpSettings.loopback(0));
                var connections = new Connections(listener)) {
            List<Connection> slow = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Connection connection = connections.open();
                connection.ask("/scan/wait/" + i);
                slow.add(connection);
            }
            assertThat(waiting.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
            // As many at each selector, whichever those are that take long.
            for (int i = 0; i < 5 * PROCESSORS; i++) {
                Connection connection = connections.open();
                for (String path : List.of("/scan", "/other", "/scan/again")) {
                    connection.ask(path);
                    assertThat(connection.answer()).contains("\":\"" + path + "\"");
                }
            }
            end.countDown();
            for (int i = 0; i < count; i++) {
                assertThat(slow.get(i).answer()).contains("\":\"/scan/wait/" + i + "\"");
                slow.get(i).ask("/scan/after");
                assertThat(slow.get(i).answer()).contains("\":\"/scan/after\"");
            }
        }
    }

    /** A selector is replaced during a long request also if short ones came before it. */
    @Test
    void answersConnectionsBesideOneThatTakesLongAfterManyThatDidNot() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var connections = new Connections(listener)) {
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < 2 * PROCESSORS; i++) {
                all.add(connections.open());
            }
            for (int i = 0; i < 50; i++) {
                for (Connection connection : all) {
                    connection.ask("/scan");
                    assertThat(connection.answer()).contains("\":\"/scan\"");
                }
            }
            Connection slow = all.removeFirst();
            slow.ask("/scan/wait");
            assertThat(waiting.tryAcquire(30, TimeUnit.SECONDS)).isTrue();

            for (Connection connection : all) {
                connection.ask("/scan");
                assertThat(connection.answer()).contains("\":\"/scan\"");
            }
            end.countDown();
            assertThat(slow.answer()).contains("\":\"/scan/wait\"");
        }
    }

    @Test
    void answersOthersBehindAConnectionThatSendsAllAtOnce() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var connections = new Connections(listener)) {
            Connection pipelined = connections.open();
            pipelined.ask("/scan/1", "/scan/wait", "/other", "/scan/2", "/scan/3");
            assertThat(pipelined.answer()).contains("/scan/1");
            assertThat(waiting.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 2 * PROCESSORS; i++) {
                Connection connection = connections.open();
                connection.ask("/scan/4");
                assertThat(connection.answer()).contains("/scan/4");
            }
            end.countDown();

            for (String path : List.of("/scan/wait", "/other", "/scan/2", "/scan/3")) {
                assertThat(pipelined.answer()).contains("\":\"" + path + "\"");
            }
        }
    }

    @Test
    void getsThreadsBackFromClientsThatGoAway() throws Exception {
        int count = 5 * PROCESSORS;
        try (var listener = start(HttpSettings.loopback(0));
                var connections = new Connections(listener)) {
            try (var gone = new Connections(listener)) {
                for (int i = 0; i < count; i++) {
                    gone.open().ask("/scan/wait/" + i);
                }
                assertThat(waiting.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
            }
            Connection left = connections.open();
            left.ask("/scan");
            assertThat(left.answer()).contains("virtual");
            end.countDown();
            // A thread is free again after its write to the closed connection has failed.
            EVENTUALLY.untilAsserted(() -> {
                left.ask("/scan");
                assertThat(left.answer()).contains("platform");
            });
        }
    }

    @Test
    void endsWhatTakesLongBeforeItStops() throws Exception {
        var listener = start(HttpSettings.loopback(0));
        try (var connections = new Connections(listener)) {
            Connection connection = connections.open();
            connection.ask("/scan/wait");
            assertThat(waiting.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            int port = listener.port();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(listener::close);
            EVENTUALLY.untilAsserted(() -> assertThat(accepts(port)).as("accepts").isFalse());
            end.countDown();

            assertThat(connection.answer()).contains("/scan/wait");
            closed.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void answersStreamsBesideOneThatTakesLong(@TempDir Path directory) throws Exception {
        Certificates certificates = Certificates.in(directory);
        try (var listener = start(certificates.settings());
                var client = certificates.client(false)) {
            // Makes the connection that all share.
            assertThat(get(client, listener, "/scan").get().version())
                    .isEqualTo(HttpClient.Version.HTTP_2);
            List<CompletableFuture<HttpResponse<String>>> slow = new ArrayList<>();
            for (int i = 0; i < 5 * PROCESSORS; i++) {
                slow.add(get(client, listener, "/scan/wait/" + i));
                assertThat(waiting.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                assertThat(get(client, listener, "/scan").get().body()).contains("/scan");
            }
            end.countDown();
            for (int i = 0; i < slow.size(); i++) {
                assertThat(slow.get(i).get().body()).contains("\":\"/scan/wait/" + i + "\"");
            }
        }
    }

    private HttpListener start(HttpSettings settings) throws IOException {
        return HttpListener.start(
                settings,
                handler,
                request -> Request.getPathInContext(request).startsWith("/scan"),
                () -> BrowserRules.NONE,
                new AccessLog());
    }

    private static boolean accepts(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        } catch (SocketException e) {
            // It was closed in the middle of this: the next one is refused.
            return true;
        }
    }

    private static CompletableFuture<HttpResponse<String>> get(
            HttpClient client, HttpListener listener, String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create(listener.url() + path))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
