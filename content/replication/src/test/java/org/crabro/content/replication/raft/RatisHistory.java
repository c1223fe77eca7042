package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.crabro.content.replication.log.DocumentHistory;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;

/**
 * Clients put, get, remove and change a few documents of three nodes that run Ratis, while nodes
 * stop and start again and leaders hand over. At the end, each document has a linearizable history,
 * and all nodes have the same documents.
 *
 * <p>The seed determines the operations and the faults; when they happen differs from run to run.
 */
final class RatisHistory implements DocumentHistory.Replicas {
    private static final RecentSettings SETTINGS = RecentSettings.DEFAULT.withRecentBytes(16 << 10);
    private static final int NODES = 3;
    private static final int SHARDS = 2;
    private static final int CLIENTS = 4;
    private static final int OPERATIONS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long seed;
    private final Random random;
    private final RaftNodes nodes;
    private final DocumentHistory documents =
            new DocumentHistory(
                    this,
                    new DocumentHistory.Patience(Duration.ofMillis(500), Duration.ofMillis(2)));

    private final Object faultLock = new Object();

    /** Guarded by its lock. */
    private long faults;

    private RatisHistory(long seed, Path directory) throws IOException {
        this.seed = seed;
        this.random = new Random(seed);
        this.nodes = RaftNodes.start(directory, NODES, SHARDS, SETTINGS);
    }

    /** Runs a history; returns how many writes were acknowledged. */
    static long run(long seed, Path directory) throws IOException, InterruptedException {
        var history = new RatisHistory(seed, directory);
        try (RaftNodes _ = history.nodes) {
            history.run();
        }
        return history.documents.stored();
    }

    private void run() throws IOException, InterruptedException {
        awaitLeaders();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(documents.client(i, OPERATIONS, new Random(random.nextLong())));
        }
        boolean isReplaced = false;
        while (!isReplaced || clients.stream().anyMatch(Thread::isAlive)) {
            fault();
            clients.getFirst().join(Duration.ofMillis(random.nextInt(400)));
            if (!isReplaced && documents.stored() > CLIENTS * OPERATIONS / 4) {
                replace(nodes.get(random.nextInt(NODES)));
                isReplaced = true;
            }
        }
        awaitLeaders();
        documents.reader(new Random(seed)).join();
        documents.check("seed " + seed);
        assertThat(nodes.failures()).as("seed %d", seed).isEmpty();
        assertThat(nodes.behind()).as("seed %d", seed).isEmpty();
        Awaitility.await("seed " + seed)
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (RaftNodes.Node each : nodes.all()) {
                        assertThat(DocumentHistory.texts(each.store().orElseThrow()))
                                .as("%s and the first, %s", each, nodes.all())
                                .isEqualTo(DocumentHistory.texts(first()));
                    }
                });
    }

    private DocumentStore first() {
        return nodes.get(0).store().orElseThrow();
    }

    private void awaitLeaders() {
        for (int shard = 0; shard < SHARDS; shard++) {
            int of = shard;
            await("a leader of shard " + of, () -> nodes.leader(of).isPresent());
        }
    }

    private void await(String what, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("seed %d, %s: %s".formatted(seed, what, nodes.all()), e);
        }
    }

    private void fault() throws IOException {
        RaftNodes.Node one = nodes.get(random.nextInt(NODES));
        switch (random.nextInt(8)) {
            case 0 -> {
                one.stop();
                one.start();
            }
            case 1, 2, 3 -> {
                one.closeStore();
                one.openStore(nodes.voters());
            }
            default -> transfer(random.nextInt(SHARDS), one);
        }
        synchronized (faultLock) {
            faults++;
            faultLock.notifyAll();
        }
    }

    /** Loses the directory of a node. */
    private void replace(RaftNodes.Node node) {
        await("the replacement of " + node, node::replace);
    }

    /** Lets a node lead, if it does not already; it may be too far behind. */
    private void transfer(int shard, RaftNodes.Node to) {
        Optional<RaftNodes.Node> leader = nodes.leader(shard);
        if (leader.isEmpty() || leader.get() == to) {
            return;
        }
        try {
            leader.get()
                    .groups()
                    .orElseThrow()
                    .transfer(RaftNodes.group(shard), to.address().peer(), Duration.ofSeconds(1));
        } catch (IOException _) {
            // Another leader was elected meanwhile, or the entries took too long.
        }
    }

    @Override
    public Optional<DocumentStore> store(int document, Random client) {
        int shard = DocumentHistory.partition(document) % SHARDS;
        RaftNodes.Node any = nodes.get(client.nextInt(NODES));
        return client.nextInt(5) == 0 ? any.store() : nodes.leader(shard).orElse(any).store();
    }

    @Override
    public void pause(Random client) {
        if (client.nextInt(30) != 0) {
            return;
        }
        synchronized (faultLock) {
            long before = faults;
            try {
                while (faults == before) {
                    faultLock.wait();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void flush(Random client) throws IOException {
        nodes.get(client.nextInt(NODES)).flush();
    }
}
