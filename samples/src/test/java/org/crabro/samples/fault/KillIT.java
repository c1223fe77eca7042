package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.TWO_MINUTES;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ends a server with {@code kill -9} in the middle of feeding, and looks at what is left. */
class KillIT {
    private static final int WORDS_MAX = 200;
    private static final int KILLS = Integer.getInteger("crabro.rounds", 6);
    private static final int WRITERS = 8;
    private static final int IDS_PER_WRITER = 40;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 150;
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @TempDir Path data;

    private final Map<String, State> states = new ConcurrentHashMap<>();

    /**
     * What is known of a document.
     *
     * @param version of the last acknowledged put; 0 where it was never put or a remove was the
     *     last
     * @param attempted what was sent since without an answer: 0 for a remove, else a version
     */
    private record State(int version, Optional<Integer> attempted) {}

    @Test
    void keepsWhatItAcknowledgedEachOnce() throws Exception {
        var versions = new AtomicInteger();
        for (int kill = 0; kill < KILLS; kill++) {
            try (var http = new Http()) {
                ServerProcess server = start();
                if (kill == 0) {
                    deploy(http, server);
                } else {
                    check(http, server);
                }
                feedUntilKilled(http, server, versions, SEED + kill);
            }
        }
        try (var http = new Http();
                ServerProcess server = start()) {
            check(http, server);
        }
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(data, List.of());
    }

    private static void deploy(Http http, ServerProcess server) throws Exception {
        Http.Answer answer =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        NotesApplication.zip());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private void feedUntilKilled(Http http, ServerProcess server, AtomicInteger versions, long seed)
            throws Exception {
        var acknowledged = new AtomicInteger();
        var problems = new ArrayList<String>();
        var writers = new ArrayList<Thread>();
        for (int writer = 0; writer < WRITERS; writer++) {
            var random = new Random(seed * WRITERS + writer);
            int number = writer;
            writers.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    write(http, server, versions, acknowledged, number, random);
                                } catch (IOException e) {
                                    // What every writer meets in the end: the server is gone.
                                    return;
                                } catch (InterruptedException | AssertionError e) {
                                    synchronized (problems) {
                                        problems.add(e.toString());
                                    }
                                }
                            }));
        }
        await().atMost(TWO_MINUTES)
                .pollInterval(ONE_MILLISECOND)
                .until(() ->
                        acknowledged.get() >= ACKNOWLEDGED_BEFORE_KILL
                                || writers.stream().noneMatch(Thread::isAlive));
        server.kill();
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(problems).isEmpty();
        assertThat(acknowledged).hasValueGreaterThanOrEqualTo(ACKNOWLEDGED_BEFORE_KILL);
    }

    private void write(
            Http http,
            ServerProcess server,
            AtomicInteger versions,
            AtomicInteger acknowledged,
            int writer,
            Random random)
            throws IOException, InterruptedException {
        while (true) {
            // Ids are a writer's own, so that what is attempted last is known.
            int id = writer * IDS_PER_WRITER + random.nextInt(IDS_PER_WRITER);
            String path = FedNotes.path(id);
            int version = random.nextInt(4) == 0 ? 0 : versions.incrementAndGet();
            int before = states.getOrDefault(path, new State(0, Optional.empty())).version();
            states.put(path, new State(before, Optional.of(version)));
            URI address = server.container().resolve(path);
            Http.Answer answer =
                    version == 0
                            ? http.delete(address)
                            : http.post(address, FedNotes.note(version, WORDS_MAX, random));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            states.put(path, new State(version, Optional.empty()));
            acknowledged.incrementAndGet();
        }
    }

    private void check(Http http, ServerProcess server) throws Exception {
        int live = 0;
        for (Map.Entry<String, State> entry : states.entrySet()) {
            Http.Answer answer = http.get(server.container().resolve(entry.getKey()));
            int actual =
                    switch (answer.status()) {
                        case 200 -> answer.body().get("fields").get("version").asInt();
                        case 404 -> 0;
                        default -> throw new AssertionError(answer.toString());
                    };
            State state = entry.getValue();
            assertThat(actual)
                    .as("version of %s, seed %d", entry.getKey(), SEED)
                    .isIn(state.version(), state.attempted().orElse(state.version()));
            entry.setValue(new State(actual, Optional.empty()));
            live += actual == 0 ? 0 : 1;
        }
        Http.Answer everything =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?yql=select+*+from+note+where+true"
                                                + "&streaming.selection=true&hits=400&timeout=30s"));
        assertThat(everything.status()).as(everything.toString()).isEqualTo(200);
        JsonNode root = everything.body().get("root");
        var ids = new ArrayList<String>();
        root.path("children").forEach(hit -> ids.add(hit.get("id").asString()));
        assertThat(root.get("fields").get("totalCount").asInt()).isEqualTo(live);
        assertThat(ids).hasSize(live).doesNotHaveDuplicates();
    }
}
