package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.crabro.container.http.HttpSettings.ConnectionLimits;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A single selector, whose replacements check lone connections once an hour: a replacement only
 * starts if the selector requests one. Opens a real port.
 */
class SharingConnectorTest {
    private static final int LONG = 32 * 1024 * 1024;

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private final Server server =
            new Server() {
                @Override
                public InvocationType getInvocationType() {
                    return InvocationType.EITHER;
                }
            };

    private final ReplacementSelectors replacements =
            new ReplacementSelectors(server.getThreadPool(), 1, "watch", Duration.ofHours(1));
    private final SharingConnector connector =
            new SharingConnector(
                    server,
                    replacements,
                    new OpenConnections(ConnectionLimits.DEFAULT),
                    1,
                    new HttpConnectionFactory());

    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public InvocationType getInvocationType() {
                    return InvocationType.EITHER;
                }

                @Override
                public boolean handle(Request request, Response response, Callback callback)
                        throws Exception {
                    String path = Request.getPathInContext(request);
                    if (path.equals("/wait")) {
                        arrived.countDown();
                        assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
                    }
                    byte[] body = path.getBytes(StandardCharsets.UTF_8);
                    if (path.equals("/long")) {
                        body = new byte[LONG];
                    }
                    response.getHeaders().put("Content-Length", body.length);
                    Content.Sink.write(response, true, ByteBuffer.wrap(body));
                    callback.succeeded();
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
        try (replacements) {
            server.stop();
        }
    }

    @Test
    void letsAConnectionInThatIsMadeWhileTheOnlyOneIsAnswered() throws Exception {
        try (var connections = new Connections(connector.getLocalPort())) {
            Connection slow = connections.open();
            slow.ask("/wait");
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();

            Connection other = connections.open();
            other.ask("/other");
            assertThat(other.answer()).isEqualTo("/other");
            end.countDown();
            assertThat(slow.answer()).isEqualTo("/wait");
        }
    }

    @Test
    void sendsAnAnswerThatItsOnlyClientTakesPieceByPiece() throws Exception {
        try (var connections = new Connections(connector.getLocalPort());
                var reader = Executors.newSingleThreadExecutor()) {
            Connection only = connections.open();
            only.ask("/long");

            assertThat(reader.submit(() -> only.answer().length()).get(60, TimeUnit.SECONDS))
                    .isEqualTo(LONG);
        }
    }
}
