package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.crabro.container.http.BodyLimits;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.OnVirtualThreads;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that announce bodies and do not send them, in memory: no port is opened. */
class ReceivedBodiesTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final int BODY = 100_000;
    private static final int BODIES = 10;
    private static final String PUT = "{\"fields\":{\"title\":\"one\"}}";

    private final MapOfDocuments documents = new MapOfDocuments();
    private final DocumentSettings settings =
            new DocumentSettings(BODY, Duration.ofSeconds(5), false, 2 * BODIES, BODIES * BODY);
    private final AtomicLong now = new AtomicLong(1);
    private final BodyMemory memory =
            new BodyMemory(
                    new BodyLimits(
                            settings.maxOperations(),
                            settings.maxOperationBytes(),
                            Duration.ofSeconds(1)),
                    now::get);
    private final Admission admission = new Admission(settings, memory);
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final List<LocalConnector.LocalEndPoint> clients = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(
                new OnVirtualThreads(
                        new DocumentHandler(
                                new ServedTypes(
                                        DocumentHandlerTest.model(),
                                        Map.of(),
                                        settings.ignoresUndefinedFields()),
                                new DocumentBackend(
                                        documents,
                                        documents,
                                        RowPuts.NONE,
                                        (_, _, _, _, _) -> {
                                            throw DocumentParameters.invalid("many documents");
                                        }),
                                _ -> Principal.EVERYONE,
                                settings,
                                admission,
                                new SimpleMeterRegistry())));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        clients.forEach(client -> input(client, null));
        try {
            EVENTUALLY.untilAsserted(() -> assertThat(admission.operations()).isZero());
            EVENTUALLY.untilAsserted(() -> assertThat(admission.bytes()).isZero());
        } finally {
            server.stop();
        }
    }

    @Test
    void announcedBodiesLeaveRoomForOthers() throws Exception {
        for (int i = 0; i < BODIES; i++) {
            send(i, 0);
        }
        EVENTUALLY.untilAsserted(() -> assertThat(admission.operations()).isEqualTo(BODIES));

        assertThat(admission.bytes()).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(put().getStatus()).isEqualTo(200);
        }
    }

    @Test
    void stalledBodiesGiveWay() throws Exception {
        for (int i = 0; i < BODIES; i++) {
            send(i, BODY - 1);
            int sent = i + 1;
            EVENTUALLY.untilAsserted(
                    () -> assertThat(admission.bytes()).isEqualTo(sent * (BODY - 1L)));
            now.incrementAndGet();
        }
        HttpTester.Response refused = putOf(1_000);
        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.get("Retry-After")).isEqualTo("1");

        now.addAndGet(Duration.ofSeconds(2).toNanos());
        HttpTester.Response answered = putOf(1_000);
        // Which of them has stalled for longest depends on when its reader began to wait.
        EVENTUALLY.untilAsserted(
                () -> assertThat(clients).anyMatch(ReceivedBodiesTest::isAnswered));
        LocalConnector.LocalEndPoint chosen =
                clients.stream().filter(ReceivedBodiesTest::isAnswered).findFirst().orElseThrow();
        HttpTester.Response givenUp = answer(chosen);

        assertThat(answered.getStatus()).isEqualTo(200);
        assertThat(givenUp.getStatus()).isEqualTo(429);
        assertThat(givenUp.get("Retry-After")).isEqualTo("1");
        assertThat(givenUp.get("Connection")).isEqualTo("close");
        assertThat(givenUp.getContent()).contains("overload: this request was stopped");
        assertThat(memory.gaveWay()).isEqualTo(1);
        LocalConnector.LocalEndPoint other =
                clients.stream().filter(each -> !each.equals(chosen)).findFirst().orElseThrow();
        other.addInput(" ");
        assertThat(answer(other).getStatus()).as("another one").isEqualTo(200);
    }

    private static boolean isAnswered(LocalConnector.LocalEndPoint client) {
        return client.getOutput().hasRemaining();
    }

    @Test
    void idleRequestsGiveUpTheirPlaces() throws Exception {
        for (int i = 0; i < settings.maxOperations(); i++) {
            send(i, 0);
        }
        EVENTUALLY.untilAsserted(
                () -> assertThat(admission.operations()).isEqualTo(settings.maxOperations()));
        assertThat(put().getStatus()).isEqualTo(429);

        now.addAndGet(Duration.ofSeconds(2).toNanos());

        assertThat(put().getStatus()).isEqualTo(200);
    }

    /** Each client sends some of its body, and then ends or goes away; nothing may be left over. */
    @Test
    void givesEverythingBack() throws Exception {
        long seed = Long.getLong("crabro.seed", 1);
        var random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            send(i, random.nextInt(BODY - 1));
            LocalConnector.LocalEndPoint client = clients.get(random.nextInt(clients.size()));
            switch (random.nextInt(4)) {
                case 0, 1 -> input(client, null);
                case 2 -> input(client, " ".repeat(random.nextInt(BODY)));
                default -> now.addAndGet(Duration.ofMillis(random.nextInt(500)).toNanos());
            }
        }
        clients.forEach(client -> input(client, null));
        EVENTUALLY.untilAsserted(() -> assertThat(admission.operations()).isZero());
        EVENTUALLY.untilAsserted(() -> assertThat(admission.bytes()).as("seed %d", seed).isZero());
    }

    private void send(int number, int bytes) {
        LocalConnector.LocalEndPoint client = connector.connect();
        clients.add(client);
        String body = PUT + " ".repeat(Math.max(0, bytes - PUT.length()));
        client.addInput(
                "POST /document/v1/ns/music/docid/%d HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(number, BODY, body.substring(0, bytes)));
    }

    /** Sends more, or ends the connection; the server may have closed it before. */
    private static void input(LocalConnector.LocalEndPoint client, @Nullable String more) {
        try {
            if (more == null) {
                client.addInputEOF();
            } else {
                client.addInput(more);
            }
        } catch (UncheckedIOException e) {
            assertThat(e).hasCauseInstanceOf(EOFException.class);
        }
    }

    private HttpTester.Response put() throws Exception {
        return putOf(PUT.length());
    }

    private HttpTester.Response putOf(int bytes) throws Exception {
        LocalConnector.LocalEndPoint client = connector.connect();
        client.addInput(
                "POST /document/v1/ns/music/docid/x HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(bytes, PUT + " ".repeat(bytes - PUT.length())));
        return answer(client);
    }

    private static HttpTester.Response answer(LocalConnector.LocalEndPoint client)
            throws Exception {
        String text = client.getResponse(false, 10, TimeUnit.SECONDS);
        assertThat(text).isNotNull();
        return HttpTester.parseResponse(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
}
