package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.crabro.container.file.DurableFiles;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Hosts of a cluster in one process, which join, lose their data and are retired. */
class ReplicaMovesIT {
    private static final Duration PATIENCE = HostCluster.PATIENCE;
    private static final int DOCUMENTS = 120;

    @TempDir Path directory;
    private HostCluster cluster;

    /** The copies of each document. */
    private int copies = 3;

    @BeforeEach
    void start() throws IOException {
        cluster = new HostCluster(directory, 1);
        cluster.startAll(3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aHostThatJoinsGetsItsShareWhileAFeedAndVisitsRun() throws Exception {
        deploy(3, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }
        cluster.start(3);
        cluster.awaitHosts();
        int fed;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            var isMoved = new Signal();
            Future<Integer> feed = threads.submit(feed(isMoved));
            Future<Integer> visits = threads.submit(visits(isMoved));

            try {
                deploy(4, Optional.empty());
            } finally {
                isMoved.set();
            }

            fed = feed.get();
            assertThat(visits.get()).isPositive();
        }
        assertThat(fed).isPositive();
        assertThat(replicas(3)).isEqualTo(6);
        for (int container = 0; container < 2; container++) {
            assertThat(cluster.hitCount(container)).isEqualTo(DOCUMENTS + fed);
        }
        // Leaders are balanced, and other nodes keep nothing for the new one.
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (int node = 0; node < 4; node++) {
                        assertThat(led(node)).isEqualTo(2);
                        assertThat(exports(node)).isEmpty();
                    }
                });
        assertThat(cluster.hitCount(0)).isEqualTo(DOCUMENTS + fed);

        // The package does not name the host any more.
        deploy(3, Optional.empty());

        assertThat(replicas(3)).isZero();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(runs(3)).isEmpty());
        cluster.stop(3);
        assertThat(cluster.hitCount(1)).isEqualTo(DOCUMENTS + fed);
    }

    @Test
    void theOnlyReplicaOfAShardMoves() throws Exception {
        copies = 1;
        deploy(2, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }
        assertThat(replicas(2)).isZero();

        deploy(3, Optional.empty());

        assertThat(replicas(2)).isEqualTo(2);
        assertThat(cluster.hitCount(1)).isEqualTo(DOCUMENTS);
        assertThat(cluster.visited(0, 1)).hasSize(DOCUMENTS);
        for (int i = 0; i < DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }
        assertThat(cluster.hitCount(0)).isEqualTo(DOCUMENTS);
    }

    @Test
    void aHostThatLostItsDirectoryGetsItsCopies() throws Exception {
        deploy(3, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }
        Set<String> before = peers(2);
        assertThat(before).hasSize(1);

        cluster.stop(2);
        DurableFiles.deleteTree(cluster.data(2));
        for (int i = DOCUMENTS; i < 2 * DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }
        // Before that, another process of the same name is refused.
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status().path("hosts").get(2).path("isUp").asBoolean())
                                .isFalse());
        cluster.start(2);
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    assertThat(peers(2)).hasSize(1).doesNotContainAnyElementsOf(before);
                    assertThat(replicas(2)).isEqualTo(8);
                });
        awaitMoves(3);

        // What was acknowledged is on the new peer: the others alone are no majority.
        cluster.stop(1);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.hitCount(0)).isEqualTo(2 * DOCUMENTS));
        cluster.put(0, 2 * DOCUMENTS);
        assertThat(cluster.hitCount(0)).isEqualTo(2 * DOCUMENTS + 1);
    }

    @Test
    void aRetiredHostHandsOverItsReplicas() throws Exception {
        cluster.start(3);
        deploy(4, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            cluster.put(i % 2, i);
        }

        deploy(4, Optional.of(2));

        assertThat(replicas(2)).isZero();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(runs(2)).isEmpty());
        cluster.stop(2);
        assertThat(cluster.hitCount(1)).isEqualTo(DOCUMENTS);
        cluster.put(1, DOCUMENTS);
        assertThat(cluster.hitCount(0)).isEqualTo(DOCUMENTS + 1);
    }

    /** Is set once. */
    private static final class Signal {
        private volatile boolean isSet;

        void set() {
            isSet = true;
        }

        boolean isSet() {
            return isSet;
        }
    }

    /** Puts documents until the signal; returns how many. */
    private Callable<Integer> feed(Signal end) {
        return () -> {
            int count = 0;
            while (!end.isSet()) {
                cluster.put(count % 2, DOCUMENTS + count);
                count++;
            }
            return count;
        };
    }

    /** Visits all documents again and again until the signal; returns how often. */
    private Callable<Integer> visits(Signal end) {
        return () -> {
            int count = 0;
            while (!end.isSet()) {
                Set<String> ids = cluster.visited(0, 1);
                for (int i = 0; i < DOCUMENTS; i++) {
                    assertThat(ids).contains("id:a:note:g=g%d:%d".formatted(i % 10, i));
                }
                count++;
            }
            return count;
        };
    }

    /** Deploys a package for hosts, and waits until all replicas are where they should be. */
    private void deploy(int hosts, Optional<Integer> retired) throws Exception {
        cluster.awaitHosts();
        ClusterPackage files =
                ClusterPackage.of(
                        hosts, retired, copies, "<document type='note' mode='streaming'/>");
        Http.Answer answer = cluster.deploy(0, files.hosts(), files.services());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        awaitMoves(hosts);
    }

    /** Waits until all nodes serve the package, and all replicas are where they should be. */
    private void awaitMoves(int nodes) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    JsonNode content = status().path("contents").get(0);
                    assertThat(content.path("moves")).isEmpty();
                    assertThat(content.path("nodes")).hasSizeGreaterThanOrEqualTo(nodes - 1);
                    for (JsonNode shard : content.path("shards")) {
                        Set<Integer> desired = new HashSet<>();
                        shard.path("desired").forEach(each -> desired.add(each.asInt()));
                        assertThat(shard.path("voters")).as(shard.toString()).hasSize(copies);
                        for (JsonNode voter : shard.path("voters")) {
                            assertThat(desired).contains(voter.path("node").asInt());
                        }
                    }
                });
        cluster.awaitNodes(copies);
    }

    private JsonNode status() throws Exception {
        return cluster.status(0);
    }

    private List<JsonNode> voters(int node) throws Exception {
        List<JsonNode> voters = new ArrayList<>();
        for (JsonNode shard : status().path("contents").get(0).path("shards")) {
            for (JsonNode voter : shard.path("voters")) {
                if (voter.path("node").asInt() == node) {
                    voters.add(voter);
                }
            }
        }
        return voters;
    }

    private int replicas(int node) throws Exception {
        return voters(node).size();
    }

    private Set<String> peers(int node) throws Exception {
        Set<String> peers = new HashSet<>();
        voters(node).forEach(each -> peers.add(each.path("peer").asString()));
        return peers;
    }

    private long led(int node) throws Exception {
        long count = 0;
        for (JsonNode shard : status().path("contents").get(0).path("shards")) {
            count += shard.path("leader").asInt(-1) == node ? 1 : 0;
        }
        return count;
    }

    private List<Path> exports(int node) throws IOException {
        return files(cluster.data(node).resolve("content/notes/exports"));
    }

    private List<Path> runs(int node) throws IOException {
        return files(cluster.data(node).resolve("content/notes/partitions")).stream()
                .filter(each -> each.toString().endsWith(".run"))
                .toList();
    }

    private static List<Path> files(Path of) throws IOException {
        if (!Files.isDirectory(of)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(of)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
