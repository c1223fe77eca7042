package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.crabro.container.http.HttpSettings.ConnectionLimits;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens real ports, because connections are the subject of the test. A hang fails; no times are
 * measured.
 */
@Timeout(60)
class OpenConnectionsTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final ConnectionLimits HURRIED =
            new ConnectionLimits(100, 100, LONG, Duration.ofMillis(200));

    @TempDir Path directory;

    private final CountDownLatch release = new CountDownLatch(1);

    private final Handler answers =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws InterruptedException {
                    if (request.getHttpURI().getPath().equals("/wait")) {
                        release.await();
                    }
                    JsonReply.send(response, callback, 200, "message", "here");
                    return true;
                }
            };

    @ParameterizedTest
    @ValueSource(
            strings = {"", "G", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "PRI * HTTP/2.0\r\n"})
    void closesConnectionsWhoseHeadersDoNotEnd(String begun) throws Exception {
        try (var listener = start(HURRIED);
                var socket = connect(listener)) {
            send(socket, begun);

            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void closesConnectionsThatTrickle() throws Exception {
        try (var listener = start(HURRIED);
                var socket = connect(listener)) {
            OutputStream out = socket.getOutputStream();
            boolean isOpen = true;
            while (isOpen) {
                try {
                    out.write("X: y\r\n".getBytes(StandardCharsets.US_ASCII));
                    Thread.onSpinWait();
                } catch (SocketException _) {
                    isOpen = false;
                }
            }

            assertThat(isOpen).isFalse();
        }
    }

    @Test
    void closesConnectionsWhoseHandshakeDoesNotEnd() throws Exception {
        var tls = Optional.of(Certificates.in(directory).tls());
        try (var listener = start(HttpSettings.loopback(0).at("127.0.0.1", tls).with(HURRIED));
                var socket = connect(listener)) {
            socket.getOutputStream().write(new byte[] {22, 3, 1});

            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void closesConnectionsWhoseNextRequestDoesNotEnd() throws Exception {
        try (var listener = start(HURRIED);
                var socket = connect(listener)) {
            send(socket, REQUEST);
            new Connection(socket).answer();
            send(socket, "GET ");

            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void waitsForRequestsUnderWayAndForIdleConnections() throws Exception {
        try (var listener = start(HURRIED);
                var idle = connect(listener);
                var waiting = connect(listener)) {
            var idleConnection = new Connection(idle);
            send(idle, REQUEST);
            idleConnection.answer();
            send(waiting, REQUEST.replace("/ ", "/wait "));
            // Later than both, and closed by the deadline of both.
            try (var slow = connect(listener)) {
                assertThat(isClosed(slow)).isTrue();
            }
            release.countDown();
            send(idle, REQUEST);

            assertThat(new Connection(waiting).answer()).contains("here");
            assertThat(idleConnection.answer()).contains("here");
        }
    }

    @Test
    void keepsConnectionsOfHttp2WithoutRequests() throws Exception {
        try (var listener = start(HURRIED);
                var socket = connect(listener)) {
            send(socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            try (var slow = connect(listener)) {
                assertThat(isClosed(slow)).isTrue();
            }
            byte[] ping = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
            socket.getOutputStream().write(ping);
            byte[] read = socket.getInputStream().readNBytes(9);

            assertThat(read).hasSize(9);
        }
    }

    @Test
    void letsNewClientsInWhenIdleOnesFillThePort() throws Exception {
        var few = new ConnectionLimits(10, 100, LONG, LONG);
        List<Socket> idle = new ArrayList<>();
        try (var listener = start(few)) {
            for (int i = 0; i < 50; i++) {
                Socket socket = connect(listener);
                idle.add(socket);
                send(socket, REQUEST);
                assertThat(new Connection(socket).answer()).contains("here");
            }

            assertThat(isClosed(idle.getFirst())).isTrue();
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void refusesConnectionsOfAnAddressThatHasTooMany() throws Exception {
        var few = new ConnectionLimits(100, 2, LONG, LONG);
        try (var listener = start(few);
                var first = connect(listener);
                var second = connect(listener)) {
            send(first, REQUEST);
            new Connection(first).answer();
            send(second, REQUEST);
            new Connection(second).answer();
            try (var third = connect(listener)) {
                assertThat(isClosed(third)).isTrue();
            }
            first.shutdownOutput();
            String answer = "";
            while (answer.isEmpty()) {
                answer = answer(listener);
            }

            assertThat(answer).contains("here");
        }
    }

    /** Returns the body of an answer; empty where the connection is closed. */
    private static String answer(HttpListener listener) throws IOException {
        try (var socket = connect(listener)) {
            send(socket, REQUEST);
            return new Connection(socket).answer();
        } catch (IOException _) {
            return "";
        }
    }

    private HttpListener start(ConnectionLimits limits) throws IOException {
        return start(HttpSettings.loopback(0).with(limits));
    }

    private HttpListener start(HttpSettings settings) throws IOException {
        return HttpListener.start(settings, answers, new AccessLog());
    }

    private static Socket connect(HttpListener listener) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(50_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Earlier answers do not count.
            }
            return true;
        } catch (SocketException _) {
            return true;
        }
    }
}
