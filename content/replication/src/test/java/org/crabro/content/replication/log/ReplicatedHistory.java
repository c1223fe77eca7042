package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.replication.log.DocumentHistory.Patience;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.jspecify.annotations.Nullable;

/**
 * Clients put, get, remove and change a few documents of three replicas, while messages get lost
 * and replicas stop and start again. At the end, each document has a linearizable history, and all
 * replicas have the same documents.
 *
 * <p>The seed determines the faults and the operations; the order of the clients' threads differs
 * from run to run.
 */
final class ReplicatedHistory {
    private static final RecentSettings SETTINGS = RecentSettings.DEFAULT.withRecentBytes(16 << 10);
    private static final List<Loss> LOSSES = List.of(Loss.values());
    private static final int REPLICAS = 3;
    private static final int SHARDS = 2;
    private static final int CLIENTS = 4;
    private static final int OPERATIONS = 40;

    /** The longest and the shortest wait for a reply. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private static final Duration HASTE = Duration.ofMillis(1);

    /** A fault happens in one of so many steps. */
    private static final int FAULT_STEPS = 2_000;

    private static final int PAUSE_STEPS = 4_000;

    private final long seed;
    private final Random random;
    private final List<SimulatedShard> shards = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final AtomicLong steps = new AtomicLong();
    private final Queue<Pause> pauses =
            new PriorityBlockingQueue<>(CLIENTS, Comparator.comparingLong(Pause::end));
    private final DocumentHistory documents =
            new DocumentHistory(new Simulated(), new Patience(PATIENCE, HASTE));

    /** A client waits for a step. */
    private record Pause(long end, CountDownLatch isOver) {}

    private ReplicatedHistory(long seed) {
        this.seed = seed;
        this.random = new Random(new Random(seed).nextLong());
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new SimulatedShard(REPLICAS, new Random(random.nextLong())));
        }
        for (int i = 0; i < REPLICAS; i++) {
            nodes.add(new Node(i, random));
        }
    }

    /** Runs a history; returns how many writes were acknowledged. */
    static long run(long seed) throws IOException, InterruptedException {
        var history = new ReplicatedHistory(seed);
        try {
            history.run();
        } finally {
            for (Node each : history.nodes) {
                each.stop();
            }
        }
        return history.documents.stored();
    }

    /** A node with a replica of each shard. */
    private final class Node implements ShardJournals {
        private final int number;
        private final Random random;
        private FaultyLogFiles files;
        private volatile @Nullable DocumentStore store;
        private int downSteps;

        Node(int number, Random random) {
            this.number = number;
            this.random = random;
            this.files = new FaultyLogFiles(new Random(random.nextLong()));
        }

        @Override
        public int count() {
            return SHARDS;
        }

        @Override
        public Journal start(int shard, Journal.Applier applier) {
            return ReplicatedJournal.start(
                    shards.get(shard).log(number),
                    applier,
                    JournalSettings.DEFAULT,
                    random.nextLong(),
                    1_000L * (shard + 1));
        }

        void start() throws IOException {
            store =
                    DocumentStore.open(
                            files,
                            StoreOptions.of(
                                            Notes.PARTITIONS.count(),
                                            SETTINGS,
                                            InstantSource.system())
                                    .with(this));
        }

        /** Ends it as a crash does: what was not forced may be lost. */
        void crash() {
            stop();
            files = files.afterCrash(LOSSES.get(random.nextInt(LOSSES.size())));
            downSteps = random.nextInt(5_000);
        }

        /** Flushes, if it is up. A store is not closed meanwhile. */
        synchronized void flush() throws IOException {
            DocumentStore flushed = store;
            if (flushed != null) {
                flushed.flush();
            }
        }

        synchronized void stop() {
            shards.forEach(each -> each.stop(number));
            DocumentStore stopped = store;
            store = null;
            if (stopped != null) {
                stopped.close();
            }
        }
    }

    private void run() throws IOException, InterruptedException {
        for (Node each : nodes) {
            each.start();
        }
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(documents.client(i, OPERATIONS, new Random(random.nextLong())));
        }
        while (clients.stream().anyMatch(Thread::isAlive)) {
            step();
            if (random.nextInt(FAULT_STEPS) == 0) {
                fault();
            }
        }
        settle();
        Thread reader = documents.reader(new Random(seed));
        while (reader.isAlive()) {
            step();
        }
        documents.check("seed " + seed);
        settle();
        for (Node each : nodes) {
            assertThat(DocumentHistory.texts(open(each)))
                    .as("seed %d, node %d", seed, each.number)
                    .isEqualTo(DocumentHistory.texts(open(nodes.getFirst())));
        }
    }

    private void step() throws IOException {
        long now = steps.incrementAndGet();
        for (Pause first = pauses.peek();
                first != null && first.end <= now;
                first = pauses.peek()) {
            pauses.remove().isOver.countDown();
        }
        shards.get(random.nextInt(SHARDS)).step();
        for (Node each : nodes) {
            if (each.store == null) {
                each.downSteps--;
                if (each.downSteps <= 0) {
                    each.start();
                }
            }
        }
    }

    private void fault() {
        SimulatedShard shard = shards.get(random.nextInt(SHARDS));
        int one = random.nextInt(REPLICAS);
        int other = (one + 1 + random.nextInt(REPLICAS - 1)) % REPLICAS;
        switch (random.nextInt(6)) {
            case 0 -> shard.cut(one, other, true);
            case 1 -> {
                for (int i = 0; i < REPLICAS; i++) {
                    shard.cut(one, i, true);
                    shard.cut(i, one, true);
                }
            }
            case 2, 3 -> shard.heal();
            default -> {
                Node node = nodes.get(one);
                if (node.store != null) {
                    node.crash();
                }
            }
        }
    }

    /** Ends all faults, and waits until all replicas have the same entries. */
    private void settle() throws IOException {
        shards.forEach(SimulatedShard::heal);
        for (Node each : nodes) {
            each.downSteps = 0;
        }
        step();
        while (!shards.stream().allMatch(each -> each.leader().isPresent() && each.isSettled())) {
            step();
        }
    }

    private static DocumentStore open(Node node) {
        DocumentStore store = node.store;
        if (store == null) {
            throw new AssertionError("node " + node.number + " is down");
        }
        return store;
    }

    /** Clients see the nodes of this. */
    private final class Simulated implements DocumentHistory.Replicas {
        @Override
        public Optional<DocumentStore> store(int document, Random client) {
            int shard = DocumentHistory.partition(document) % SHARDS;
            int node =
                    client.nextInt(5) == 0
                            ? client.nextInt(REPLICAS)
                            : shards.get(shard).leader().orElse(client.nextInt(REPLICAS));
            return Optional.ofNullable(nodes.get(node).store);
        }

        @Override
        public void pause(Random client) {
            if (client.nextInt(3) > 0) {
                return;
            }
            var pause = new Pause(steps.get() + client.nextInt(PAUSE_STEPS), new CountDownLatch(1));
            pauses.add(pause);
            try {
                pause.isOver.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void flush(Random client) throws IOException {
            nodes.get(client.nextInt(REPLICAS)).flush();
        }
    }
}
