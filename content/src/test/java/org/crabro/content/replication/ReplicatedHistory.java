package org.crabro.content.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.crabro.content.block.SearchedTexts;
import org.crabro.content.journal.FaultyLogFiles;
import org.crabro.content.journal.FaultyLogFiles.Loss;
import org.crabro.content.recent.DocumentStore;
import org.crabro.content.recent.Journal;
import org.crabro.content.recent.JournalSettings;
import org.crabro.content.recent.Notes;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.recent.RowMaking;
import org.crabro.content.recent.ShardJournals;
import org.crabro.content.replication.Linearizability.Operation;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.wire.Deadline;
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
    private static final int DOCUMENTS = 4;
    private static final int CLIENTS = 4;
    private static final int OPERATIONS = 40;

    /** The longest and the shortest wait for a reply. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private static final Duration HASTE = Duration.ofMillis(1);

    /** A fault happens in one of so many steps. */
    private static final int FAULT_STEPS = 2_000;

    private static final int ATTEMPTS = 6;

    private static final int PAUSE_STEPS = 4_000;

    private final long seed;
    private final Random random;
    private final List<SimulatedShard> shards = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Integer, ConcurrentLinkedQueue<Operation>> operations = new TreeMap<>();
    private final AtomicLong time = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();

    private final AtomicLong stored = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private ReplicatedHistory(long seed) {
        this.seed = seed;
        this.random = new Random(new Random(seed).nextLong());
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new SimulatedShard(REPLICAS, new Random(random.nextLong())));
        }
        for (int i = 0; i < REPLICAS; i++) {
            nodes.add(new Node(i, random));
        }
        for (int i = 0; i < DOCUMENTS; i++) {
            operations.put(i, new ConcurrentLinkedQueue<>());
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
        return history.stored.get();
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
            DocumentStore started =
                    DocumentStore.open(
                            files,
                            Notes.PARTITIONS.count(),
                            SETTINGS,
                            InstantSource.system(),
                            this);
            started.keep(Notes.TYPE, SearchedTexts.NONE);
            store = started;
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
            var client = new Client(i, new Random(random.nextLong()));
            clients.add(Thread.ofPlatform().name("client-" + i).start(client));
        }
        while (clients.stream().anyMatch(Thread::isAlive)) {
            step();
            if (random.nextInt(FAULT_STEPS) == 0) {
                fault();
            }
        }
        settle();
        Thread reader = Thread.ofPlatform().start(this::readAll);
        while (reader.isAlive()) {
            step();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("seed " + seed, failures.peek());
        }
        operations.forEach((document, of) ->
                assertThat(Linearizability.holds(List.copyOf(of), ""))
                        .as(
                                "seed %d, document %d: %s",
                                seed, document, of.stream().map(Operation::text).toList())
                        .isTrue());
        settle();
        for (Node each : nodes) {
            assertThat(texts(each))
                    .as("seed %d, node %d", seed, each.number)
                    .isEqualTo(texts(nodes.getFirst()));
        }
    }

    private void step() throws IOException {
        steps.incrementAndGet();
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

    private void readAll() {
        var reader = new Client(CLIENTS, new Random(seed));
        try {
            for (int document = 0; document < DOCUMENTS; document++) {
                while (!reader.get(document)) {
                    Thread.onSpinWait();
                }
            }
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private static Map<Integer, String> texts(Node node) {
        var texts = new TreeMap<Integer, String>();
        for (int i = 0; i < DOCUMENTS; i++) {
            texts.put(i, text(open(node), i));
        }
        return texts;
    }

    private static DocumentStore open(Node node) {
        DocumentStore store = node.store;
        if (store == null) {
            throw new AssertionError("node " + node.number + " is down");
        }
        return store;
    }

    private static DocumentId id(int document) {
        return Notes.plain(document);
    }

    private static int partition(int document) {
        return Notes.PARTITIONS.of(id(document).location());
    }

    /** Returns the text of a document; empty if there is none. */
    private static String text(DocumentStore store, int document) {
        return Notes.text(store, id(document));
    }

    /** Does random operations, one after the other. */
    private final class Client implements Runnable {
        private final int number;
        private final Random random;
        private final long session;
        private int made;
        private long operation;

        Client(int number, Random random) {
            this.number = number;
            this.random = random;
            this.session = random.nextLong();
        }

        @Override
        public void run() {
            try {
                int done = 0;
                while (done < OPERATIONS) {
                    int document = random.nextInt(DOCUMENTS);
                    made++;
                    if (random.nextInt(8) == 0) {
                        nodes.get(random.nextInt(REPLICAS)).flush();
                    }
                    boolean isDone =
                            switch (random.nextInt(8)) {
                                case 0, 1 -> put(document, "%d-%d".formatted(number, made));
                                case 2 -> put(document, "");
                                case 3, 4, 5 -> change(document);
                                default -> get(document);
                            };
                    done += isDone ? 1 : 0;
                }
            } catch (IOException | RuntimeException | Error e) {
                failures.add(e);
            }
        }

        /** Returns the store that probably leads the shard of a document; null if it is down. */
        private @Nullable DocumentStore store(int document) {
            int shard = partition(document) % SHARDS;
            int node =
                    random.nextInt(5) == 0
                            ? random.nextInt(REPLICAS)
                            : shards.get(shard).leader().orElse(random.nextInt(REPLICAS));
            return nodes.get(node).store;
        }

        private boolean put(int document, String text) {
            long invoked = time.incrementAndGet();
            Optional<FeedReply> reply =
                    send(
                            document,
                            (store, operation) -> {
                                EncodedWrite write = Notes.write(id(document), text);
                                return Optional.of(
                                        store.write(write, Optional.of(operation), patience()));
                            });
            return reply.isPresent()
                    && note(document, "put " + text, invoked, reply.get(), _ -> Optional.of(text));
        }

        /** Replaces a text by one that depends on it: no other change comes between. */
        private boolean change(int document) {
            long invoked = time.incrementAndGet();
            String to = "%d-%d".formatted(number, made);
            // One of these, if it was sent several times.
            var from = new HashSet<String>();
            Optional<FeedReply> reply =
                    send(
                            document,
                            (store, operation) -> change(store, document, to, from, operation));
            return reply.isPresent()
                    && note(
                            document,
                            "change %s to %s".formatted(from, to),
                            invoked,
                            reply.get(),
                            value -> from.contains(value) ? Optional.of(to) : Optional.empty());
        }

        private Optional<FeedReply> change(
                DocumentStore store,
                int document,
                String to,
                Set<String> from,
                OperationId operation) {
            try {
                return Optional.of(
                        store.write(
                                partition(document),
                                id(document),
                                true,
                                () -> {
                                    from.add(text(store, document));
                                    pause();
                                    return RowMaking.Made.row(
                                            Notes.write(id(document), to).row(), true);
                                },
                                Optional.of(operation),
                                patience()));
            } catch (IllegalStateException | TimeoutException _) {
                // The store was closed before a row was made.
                return Optional.empty();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Sends an operation; returns the reply, or nothing if nothing was written. */
        private interface Sending {
            Optional<FeedReply> to(DocumentStore store, OperationId operation);
        }

        /** Sends an operation again while its outcome is unknown, a few times. */
        private Optional<FeedReply> send(int document, Sending sending) {
            operation++;
            var id = new OperationId(session, operation, operation, false);
            Optional<FeedReply> unknown = Optional.empty();
            for (int i = 0; i < ATTEMPTS; i++) {
                DocumentStore store = store(document);
                Optional<FeedReply> reply =
                        store == null ? Optional.empty() : sending.to(store, id);
                if (reply.isPresent() && reply.get() instanceof FeedReply.Stored) {
                    return reply;
                }
                if (reply.isPresent() && isUnknown(reply.get())) {
                    unknown = reply;
                    id = id.again();
                } else if (unknown.isEmpty()) {
                    return Optional.empty();
                }
            }
            return unknown;
        }

        private static boolean isUnknown(FeedReply reply) {
            return reply instanceof FeedReply.TimedOut || reply instanceof FeedReply.Failed;
        }

        private Deadline patience() {
            return Deadline.after(random.nextInt(3) == 0 ? HASTE : PATIENCE);
        }

        /** Lets leaders change while a row is made, sometimes. */
        private void pause() {
            long end = steps.get() + (random.nextInt(3) == 0 ? random.nextInt(PAUSE_STEPS) : 0);
            while (steps.get() < end) {
                Thread.onSpinWait();
            }
        }

        boolean get(int document) {
            DocumentStore store = store(document);
            if (store == null) {
                return false;
            }
            long invoked = time.incrementAndGet();
            String found;
            try {
                if (!store.awaitCurrent(partition(document), patience())) {
                    return false;
                }
                found = text(store, document);
            } catch (IllegalStateException _) {
                // The store was closed.
                return false;
            }
            add(
                    document,
                    "get " + found,
                    invoked,
                    time.incrementAndGet(),
                    value -> value.equals(found) ? Optional.of(found) : Optional.empty());
            return true;
        }

        private boolean note(
                int document,
                String text,
                long invoked,
                FeedReply reply,
                Function<String, Optional<String>> effect) {
            if (isUnknown(reply)) {
                add(document, text + "?", invoked, Linearizability.NEVER, effect);
            } else {
                stored.incrementAndGet();
                add(document, text, invoked, time.incrementAndGet(), effect);
            }
            return true;
        }

        private void add(
                int document,
                String text,
                long invoked,
                long returned,
                Function<String, Optional<String>> effect) {
            ConcurrentLinkedQueue<Operation> of = operations.get(document);
            if (of != null) {
                of.add(new Operation(text, invoked, returned, effect));
            }
        }
    }
}
