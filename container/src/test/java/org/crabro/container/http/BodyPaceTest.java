package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that come slowly, by a clock of the test and in memory: no port is opened. */
class BodyPaceTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);

    /** At least 1,000 bytes in each ten seconds of waiting. */
    private static final BodyTimes TIMES =
            new BodyTimes(
                    100, Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(1));

    private static final int BODY = 100_000;

    private final AtomicLong now = new AtomicLong(1);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicLong ofConnection = new AtomicLong();
    private final Executor virtual = task -> Thread.ofVirtual().start(task);
    private final BodyPace pace =
            new BodyPace(new Reader(), TIMES, virtual, now::get, _ -> ofConnection, registry);
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private LocalConnector.LocalEndPoint client;

    /** Reads the body and answers with its length. */
    private final class Reader extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            virtual.execute(() -> {
                try {
                    switch (request.getHttpURI().getPath()) {
                        case "/late" -> reading.await();
                        case "/idle" -> PacedRequest.allowIdle(request);
                        default -> {
                            // The body is read at once, and has to come.
                        }
                    }
                    var in = Content.Source.asInputStream(request);
                    for (int next = in.read(); next >= 0; next = in.read()) {
                        received.incrementAndGet();
                    }
                    JsonReply.send(response, callback, 200, "length", received.toString());
                } catch (IOException e) {
                    callback.failed(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            return true;
        }
    }

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setErrorHandler(new JsonErrorHandler());
        server.setHandler(pace);
        server.start();
        client = connector.connect();
    }

    @AfterEach
    void stop() throws Exception {
        try {
            EVENTUALLY.untilAsserted(() -> assertThat(pace.watched()).isZero());
        } finally {
            server.stop();
        }
    }

    @Test
    void refusesABodyThatDoesNotCome() throws Exception {
        begin("/");
        EVENTUALLY.untilAsserted(() -> assertThat(pace.awaited()).isEqualTo(1));
        pass(9);
        int before = slow();
        pass(1);

        assertThat(before).isZero();
        assertThat(slow()).isEqualTo(1);
        assertThat(answer())
                .startsWith("HTTP/1.1 408 ")
                .contains("Connection: close")
                .contains("the body comes too slowly: fewer than 1000 bytes in 10000 ms");
        EVENTUALLY.untilAsserted(() -> assertThat(client.isOpen()).as("open").isFalse());
    }

    @Test
    void refusesABodyThatTrickles() throws Exception {
        begin("/");
        for (int i = 0; i < 10; i++) {
            send(99);
            pass(1);
        }

        assertThat(answer()).startsWith("HTTP/1.1 408 ");
    }

    @Test
    void refusesABodyThatStopsAfterItsBegin() throws Exception {
        begin("/");
        send(BODY - 1);
        pass(10);
        int afterMuch = slow();
        pass(10);

        assertThat(afterMuch).isZero();
        assertThat(slow()).isEqualTo(1);
        assertThat(answer()).startsWith("HTTP/1.1 408 ");
    }

    @Test
    void waitsForABodyThatIsFastEnough() throws Exception {
        begin("/");
        while (received.get() < BODY - 2_500) {
            send(2_500);
            pass(2);
        }
        client.addInput("x".repeat(2_500));

        assertThat(answer()).startsWith("HTTP/1.1 200 ").contains("\"100000\"");
        assertThat(slow()).isZero();
    }

    @Test
    void countsOnlyTheTimeInWhichTheServerWaits() throws Exception {
        begin("/late");
        pass(3_600);
        reading.countDown();
        EVENTUALLY.untilAsserted(() -> assertThat(pace.awaited()).isEqualTo(1));
        pass(9);
        client.addInput("x".repeat(BODY));

        assertThat(answer()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void countsOtherBodiesOfTheConnection() throws Exception {
        begin("/");
        EVENTUALLY.untilAsserted(() -> assertThat(pace.awaited()).isEqualTo(1));
        for (int i = 0; i < 5; i++) {
            ofConnection.addAndGet(1_000);
            pass(10);
        }
        int before = slow();
        pass(10);

        assertThat(before).isZero();
        assertThat(answer()).startsWith("HTTP/1.1 408 ");
    }

    @Test
    void waitsForABodyThatMayBeIdle() throws Exception {
        begin("/idle");
        EVENTUALLY.untilAsserted(() -> assertThat(pace.awaited()).isEqualTo(1));
        pass(3_600);
        client.addInput("x".repeat(BODY));

        assertThat(answer()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void forgetsABodyWhoseClientLeaves() {
        begin("/");
        EVENTUALLY.untilAsserted(() -> assertThat(pace.awaited()).isEqualTo(1));
        client.addInputEOF();

        EVENTUALLY.untilAsserted(() -> assertThat(pace.watched()).isZero());
        assertThat(slow()).isZero();
    }

    private void begin(String path) {
        client.addInput(
                "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, BODY));
    }

    /** Sends a part of the body and returns when the server waits for more. */
    private void send(int bytes) {
        int before = received.get();
        client.addInput("x".repeat(bytes));
        EVENTUALLY.untilAsserted(() -> {
            assertThat(received).hasValue(before + bytes);
            assertThat(pace.awaited()).isEqualTo(1);
        });
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
        pace.check();
    }

    private int slow() {
        return (int) registry.get("http.bodies.slow").counter().count();
    }

    private String answer() throws Exception {
        String answer = client.getResponse(false, 10, TimeUnit.SECONDS);
        assertThat(answer).isNotNull();
        return answer;
    }
}
