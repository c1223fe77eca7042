package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;

/**
 * A store with several writing and flushing threads, while runs are merged and another thread scans
 * and gets, until it crashes in the middle, repeatedly. Every document has one writer, so that its
 * states have an order. Every scan must find each document once, in a state between the last
 * acknowledged before it and the last tried by its end.
 */
final class CrowdedHistory {
    private static final Partitions PARTITIONS = new Partitions(1);
    private static final int WRITERS = 3;
    private static final int DOCUMENTS = 24;
    private static final int GROUPS = 3;
    private static final int WRITES = 40;
    private static final int LIVES = 2;

    private static final RecentSettings SETTINGS =
            RecentSettings.DEFAULT
                    .withRecentBytes(100_000)
                    .withFlushWait(Duration.ofMillis(200))
                    .withFeed(FeedLimits.DEFAULT.withRowBytes(8_000).withReservedBytes(0))
                    .withCompaction(
                            new CompactionSettings(
                                    true, 2, 8, 4_000, 64 << 20, Duration.ZERO, Duration.ZERO))
                    .withJournal(
                            new JournalSettings(
                                    64 << 10, 16 << 10, 1, Duration.ofDays(1), 100, 1 << 20));

    private final Random random;
    private final ExpectedDocuments expected = new ExpectedDocuments();
    private final ReadWriteLock writers = new ReentrantReadWriteLock(true);
    private FaultyLogFiles files;

    private CrowdedHistory(long seed) {
        this.random = new Random(new Random(seed).nextLong());
        this.files = new FaultyLogFiles(random);
    }

    /** Runs a few times until it crashed or all writes are done. */
    static void run(long seed) throws IOException {
        var history = new CrowdedHistory(seed);
        for (int life = 0; life < LIVES; life++) {
            history.live(life);
        }
        history.recover();
    }

    private void live(int life) throws IOException {
        recover();
        long seed = random.nextLong();
        if (random.nextInt(4) > 0) {
            files.stopAfter(random.nextInt(5, 300));
        }
        try (DocumentStore store = open()) {
            act(store, seed, life);
        } catch (IOException e) {
            tolerate(e);
        }
        files.checkNothingIsLeft();
        Loss[] losses = Loss.values();
        files = files.afterCrash(losses[random.nextInt(losses.length)]);
    }

    private void act(DocumentStore store, long seed, int life) {
        boolean later = life > 0;
        var writing = new AtomicInteger(WRITERS);
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                done.add(
                        threads.submit(() -> {
                            try {
                                write(store, new Random(seed + writer), writer, later);
                            } finally {
                                writing.decrementAndGet();
                            }
                        }));
            }
            done.add(threads.submit(() -> scan(store, new Random(~seed), writing)));
        }
        for (Future<?> each : done) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new AssertionError(String.valueOf(e.getCause()), e.getCause());
            } catch (InterruptedException e) {
                throw new IllegalStateException("this thread is never interrupted", e);
            }
        }
    }

    private void write(DocumentStore store, Random chance, int writer, boolean later) {
        for (int i = 0; i < WRITES; i++) {
            if (chance.nextInt(10) == 0) {
                flush(store, chance.nextInt(PARTITIONS.count()));
            }
            DocumentId id = id(chance.nextInt(DOCUMENTS / WRITERS) * WRITERS + writer);
            if (chance.nextInt(20) == 0 && !(id.key() instanceof LocationKey.Plain)) {
                if (!removeGroup(store, id, later)) {
                    return;
                }
                continue;
            }
            if (!write(store, chance, id, later)) {
                return;
            }
        }
    }

    /** Returns whether to continue. */
    private boolean write(DocumentStore store, Random chance, DocumentId id, boolean later) {
        writers.readLock().lock();
        try {
            Row row;
            if (chance.nextInt(4) > 0) {
                row = Papers.put(id, expected.beginPut(id), later);
            } else {
                expected.beginRemove(id);
                row = Papers.remove(id, later);
            }
            WriteReply reply =
                    store.write(
                            new Write.Row(partition(id), id, Papers.encode(row, later)),
                            Optional.empty(),
                            soon());
            switch (reply) {
                case WriteReply.Stored(long timestamp, _) ->
                        expected.acknowledge(id, partition(id), timestamp);
                case WriteReply.Overloaded _ -> expected.withdraw(id);
                case WriteReply.Failed _ -> {
                    assertThat(files.hasStopped()).as("%s", reply).isTrue();
                    return false;
                }
                case WriteReply.OutOfSpace _ -> {
                    // The free space is unknown from here on.
                    assertThat(files.hasStopped()).as("%s", reply).isTrue();
                    expected.withdraw(id);
                    return false;
                }
                default -> throw new AssertionError("no reason to answer " + reply);
            }
            return true;
        } finally {
            writers.readLock().unlock();
        }
    }

    /**
     * Removes a document's group, with all writers excluded, so that the states of all documents
     * keep their order.
     */
    private boolean removeGroup(DocumentStore store, DocumentId one, boolean later) {
        writers.writeLock().lock();
        try {
            List<DocumentId> removed =
                    IntStream.range(0, DOCUMENTS)
                            .mapToObj(CrowdedHistory::id)
                            .filter(id -> Papers.isOfSameGroup(one, id))
                            .toList();
            removed.forEach(expected::beginRemove);
            WriteReply reply =
                    store.removeGroup(
                            partition(one),
                            Papers.type(one, later),
                            one.key(),
                            Optional.empty(),
                            soon());
            switch (reply) {
                case WriteReply.Stored(long timestamp, _) ->
                        removed.forEach(id -> expected.acknowledge(id, partition(id), timestamp));
                case WriteReply.Overloaded _ -> removed.forEach(expected::withdraw);
                case WriteReply.Failed _ -> {
                    assertThat(files.hasStopped()).as("%s", reply).isTrue();
                    return false;
                }
                case WriteReply.OutOfSpace _ -> {
                    assertThat(files.hasStopped()).as("%s", reply).isTrue();
                    removed.forEach(expected::withdraw);
                    return false;
                }
                default -> throw new AssertionError("no reason to answer " + reply);
            }
            return true;
        } finally {
            writers.writeLock().unlock();
        }
    }

    /** Scans and gets, through new views and through one that is held for a while. */
    private void scan(DocumentStore store, Random chance, AtomicInteger writing) {
        while (writing.get() > 0) {
            int partition = chance.nextInt(PARTITIONS.count());
            Map<DocumentId, Integer> floors = expected.floors();
            try (View held = store.view(partition)) {
                for (int i = chance.nextInt(3); i >= 0 && writing.get() > 0; i--) {
                    scan(store, partition);
                }
                var seen = new TreeMap<DocumentId, Row>(Papers.BY_TEXT);
                Papers.addSeen(held, new KeyRange.Everything(), seen);
                check(floors, seen, partition);
            }
            if (chance.nextInt(8) == 0) {
                backUp(store);
            }
            DocumentId one = id(chance.nextInt(DOCUMENTS));
            Map<DocumentId, Integer> before = expected.floors();
            expected.checkSince(before, one, newest(store, one));
        }
    }

    /** A backup has all writes acknowledged before it, and none that was not tried by its end. */
    private void backUp(DocumentStore store) {
        Map<DocumentId, Integer> floors = expected.floors();
        var target = new FaultyLogFiles(new Random(1));
        try {
            store.backup(new FileTransfer(files, target, () -> false));
        } catch (IOException e) {
            tolerate(e);
            return;
        }
        FaultyLogFiles copy = target.afterCrash(Loss.EVERYTHING);
        try (DocumentStore restored = open(copy)) {
            for (int partition = 0; partition < PARTITIONS.count(); partition++) {
                check(
                        floors,
                        Papers.seen(restored, partition, new KeyRange.Everything()),
                        partition);
            }
        } catch (IOException e) {
            throw new AssertionError("a backup cannot be opened", e);
        }
        copy.checkNothingIsLeft();
    }

    private void scan(DocumentStore store, int partition) {
        Map<DocumentId, Integer> floors = expected.floors();
        check(floors, Papers.seen(store, partition, new KeyRange.Everything()), partition);
    }

    private void check(Map<DocumentId, Integer> floors, Map<DocumentId, Row> seen, int partition) {
        for (int i = 0; i < DOCUMENTS; i++) {
            DocumentId id = id(i);
            if (partition(id) == partition) {
                expected.checkSince(floors, id, Optional.ofNullable(seen.get(id)));
            }
        }
    }

    private void flush(DocumentStore store, int partition) {
        try {
            store.flush(partition);
        } catch (IOException e) {
            tolerate(e);
        }
    }

    private void tolerate(IOException e) {
        if (!files.hasStopped()) {
            throw new AssertionError("nothing was to fail", e);
        }
    }

    /** Opens the store without faults, checks its content, and takes it as the expected state. */
    private void recover() throws IOException {
        try (DocumentStore store = open()) {
            var seen = new TreeMap<DocumentId, Row>(Papers.BY_TEXT);
            for (int i = 0; i < PARTITIONS.count(); i++) {
                seen.putAll(Papers.seen(store, i, new KeyRange.Everything()));
            }
            for (int i = 0; i < DOCUMENTS; i++) {
                DocumentId id = id(i);
                Optional<Row> newest = newest(store, id);
                assertThat(Optional.ofNullable(seen.remove(id))).isEqualTo(newest);
                expected.settle(id, partition(id), newest);
            }
            assertThat(seen).as("documents that nobody wrote").isEmpty();
        }
        files.checkNothingIsLeft();
    }

    private DocumentStore open() throws IOException {
        return open(files);
    }

    private static DocumentStore open(FaultyLogFiles from) throws IOException {
        DocumentStore opened =
                DocumentStore.open(
                        from,
                        StoreOptions.of(PARTITIONS.count(), SETTINGS, InstantSource.system()));
        try {
            for (boolean later : new boolean[] {false, true}) {
                for (DocumentType type : Papers.types(later)) {
                    opened.keep(type, Papers.SEARCHED);
                }
            }
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private static Optional<Row> newest(DocumentStore store, DocumentId id) {
        return store.newest(partition(id), id, new ReadContext(), ValueBudget.UNLIMITED)
                .filter(row -> !row.tombstone());
    }

    private static DocumentId id(int number) {
        return Papers.id(number, GROUPS);
    }

    private static int partition(DocumentId id) {
        return PARTITIONS.of(id.location());
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofMinutes(1));
    }
}
