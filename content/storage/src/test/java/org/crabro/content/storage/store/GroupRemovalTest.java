package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.crabro.content.storage.store.Notes.PARTITIONS;
import static org.crabro.content.storage.store.Notes.id;
import static org.crabro.content.storage.store.Notes.put;
import static org.crabro.content.storage.store.Notes.removeGroup;
import static org.crabro.content.storage.store.Notes.seen;
import static org.crabro.content.storage.store.Notes.text;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.admission.WriteLock;
import org.crabro.content.storage.admission.WriteLocks;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupRemovalTest {
    private static final KeyRange GROUP = new KeyRange.Group("a");
    private static final KeyRange EVERYTHING = new KeyRange.Everything();
    private static final RecentSettings SETTINGS =
            RecentSettings.DEFAULT
                    .withFeed(FeedLimits.DEFAULT.withReservedBytes(0))
                    .withCompaction(
                            new CompactionSettings(
                                    false, 2, 32, 1 << 20, 1, Duration.ZERO, Duration.ZERO));

    private final MemoryLogFiles files = new MemoryLogFiles();

    /** The operation between a write and the next, and between the last write and the reads. */
    enum Between {
        NOTHING,
        FLUSH,
        RESTART,
        FLUSH_AND_MERGE;

        DocumentStore pass(GroupRemovalTest test, DocumentStore store) throws IOException {
            switch (this) {
                case NOTHING -> {}
                case FLUSH -> store.flush();
                case RESTART -> {
                    store.close();
                    return test.open();
                }
                case FLUSH_AND_MERGE -> {
                    store.flush();
                    store.compact();
                }
            }
            return store;
        }
    }

    private DocumentStore open() throws IOException {
        return open(SETTINGS);
    }

    private DocumentStore open(RecentSettings settings) throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(PARTITIONS.count(), settings, InstantSource.system()));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }

    @ParameterizedTest
    @EnumSource
    void removesWhatWasWrittenBeforeAndNothingElse(Between between) throws IOException {
        DocumentId otherNamespace = DocumentId.parse("id:other:note:g=a:1");
        DocumentStore store = open();
        for (DocumentId before : List.of(id("a", 1), id("a", 2), otherNamespace)) {
            put(store, before, "old");
        }
        put(store, id("ab", 1), "another group");
        put(store, Notes.plain(1), "no group");
        store = between.pass(this, store);

        assertThat(removeGroup(store, "a")).isInstanceOf(WriteReply.Stored.class);
        store = between.pass(this, store);
        put(store, id("a", 2), "new");
        store = between.pass(this, store);

        assertThat(seen(store, GROUP)).isEqualTo(Map.of("id:test:note:g=a:2", "new"));
        assertThat(seen(store, EVERYTHING))
                .isEqualTo(
                        Map.of(
                                "id:test:note:g=a:2", "new",
                                "id:test:note:g=ab:1", "another group",
                                "id:test:note::1", "no group"));
        assertThat(text(store, id("a", 1))).isEmpty();
        assertThat(text(store, otherNamespace)).isEmpty();
        assertThat(text(store, id("a", 2))).isEqualTo("new");
        assertThat(text(store, id("ab", 1))).isEqualTo("another group");
        store.flush();
        assertThat(store.statistics().held().documents()).isEqualTo(3);
        store.close();
    }

    @Test
    void removesNumbersAndKeepsTheGroupOfThatName() throws IOException {
        DocumentId numbered = DocumentId.parse("id:test:note:n=7:1");
        try (DocumentStore store = open()) {
            put(store, numbered, "number");
            put(store, id("7", 1), "group");
            store.flush();

            store.removeGroup(
                    PARTITIONS.of(7), Notes.TYPE, numbered.key(), Optional.empty(), Notes.soon());

            assertThat(seen(store, new KeyRange.Numbered(7))).isEmpty();
            assertThat(seen(store, EVERYTHING)).containsOnlyKeys("id:test:note:g=7:1");
            assertThat(text(store, numbered)).isEmpty();
            assertThat(text(store, id("7", 1))).isEqualTo("group");
        }
    }

    /** The view holds the flushed table and the previous runs. */
    @Test
    void aViewGoesOnShowingWhatItShowed() throws IOException {
        try (DocumentStore store = open()) {
            put(store, id("a", 1), "in a run");
            store.flush();
            put(store, id("a", 2), "recent");
            int partition = PARTITIONS.of(id("a", 1).location());
            try (View looked = store.view(partition);
                    View lookedAtAll = store.view(partition)) {
                assertThat(seen(looked, GROUP)).hasSize(2);
                assertThat(seen(lookedAtAll, EVERYTHING)).hasSize(2);

                removeGroup(store, "a");
                store.flush();
                store.compact();

                assertThat(seen(looked, GROUP)).hasSize(2);
                assertThat(seen(lookedAtAll, EVERYTHING)).hasSize(2);
                assertThat(seen(store, GROUP)).isEmpty();
            }
        }
    }

    /** In memory, in runs, and in a run that is written with the tombstone. */
    @Test
    void reportsWhenADocumentWasRemovedWithItsGroup() throws IOException {
        try (DocumentStore store = open()) {
            put(store, id("a", 1), "old");
            store.flush();
            WriteReply reply = removeGroup(store, "a");
            long removed = ((WriteReply.Stored) reply).timestamp();
            int partition = PARTITIONS.of(id("a", 1).location());

            Optional<Row> recent =
                    store.newest(partition, id("a", 1), new ReadContext(), ValueBudget.UNLIMITED);
            store.flush();
            Optional<Row> flushed =
                    store.newest(partition, id("a", 1), new ReadContext(), ValueBudget.UNLIMITED);

            var expected = new Row(id("a", 1), removed, Notes.TYPE.fingerprint(), true, Map.of());
            assertThat(recent).contains(expected);
            assertThat(flushed).contains(expected);
            store.compact();
            assertThat(
                            store.newest(
                                    partition,
                                    id("a", 1),
                                    new ReadContext(),
                                    ValueBudget.UNLIMITED))
                    .isEmpty();
        }
    }

    /** The journal grows by one record, memory by one row, and a run by one range per group. */
    @Test
    void costsTheSameHoweverManyDocumentsThereAre() throws IOException {
        int large = 20_000;
        try (DocumentStore store = open()) {
            put(store, id("small", 1), "x");
            for (int from = 0; from < large; from += 1_000) {
                List<Write.Row> writes =
                        IntStream.range(from, from + 1_000)
                                .mapToObj(i -> Notes.write(id("large", i), "x"))
                                .toList();
                assertThat(store.write(writes, List.of(), Notes.soon()))
                        .hasOnlyElementsOfType(WriteReply.Stored.class);
            }
            store.flush();
            long runBytes = store.statistics().runs().bytes();

            assertThat(recentBytesOfRemoving(store, "small"))
                    .isEqualTo(recentBytesOfRemoving(store, "large"))
                    .isLessThan(10_000);
            assertThat(seen(store, new KeyRange.Group("large"))).isEmpty();
            store.flush();

            assertThat(store.statistics().runs().bytes() - runBytes).isLessThan(5_000);
            assertThat(store.statistics().held().documents()).isZero();
            assertThat(store.statistics().runs().deadRows()).isEqualTo(large + 1);
            store.compact();
            assertThat(store.statistics().runs().bytes()).isZero();
        }
    }

    private static long recentBytesOfRemoving(DocumentStore store, String group)
            throws IOException {
        store.flush();
        long journal = store.statistics().writes().journalBytes();
        long before = store.statistics().writes().recentBytes();
        removeGroup(store, group);
        assertThat(store.statistics().writes().journalBytes() - journal).isLessThanOrEqualTo(512);
        return store.statistics().writes().recentBytes() - before;
    }

    @Test
    void countsDocumentsWithoutThoseOfTheGroup() throws IOException {
        try (DocumentStore store = open()) {
            for (int i = 0; i < 10; i++) {
                put(store, id("a", i), "x");
                put(store, id("b", i), "x");
            }
            Notes.remove(store, id("a", 3));
            put(store, id("a", 4), "again");

            removeGroup(store, "a");
            put(store, id("a", 4), "and again");

            assertThat(store.statistics().held().documents()).isEqualTo(11);
            assertThat(store.statistics().held().tombstones()).isEqualTo(1);
            store.flush();
            assertThat(store.statistics().held().documents()).isEqualTo(11);
            assertThat(store.statistics().held().tombstones()).isEqualTo(1);
        }
    }

    @Test
    void makesRoomInTheGroup() throws IOException {
        RecentSettings settings = SETTINGS.withFeed(SETTINGS.feed().withGroupBytes(10_000));
        try (DocumentStore store = open(settings)) {
            put(store, id("a", 1), "x".repeat(9_000));
            store.flush();
            assertThat(put(store, id("a", 2), "x".repeat(9_000)))
                    .isInstanceOf(WriteReply.OutOfSpace.class);

            removeGroup(store, "a");

            assertThat(put(store, id("a", 2), "x".repeat(9_000)))
                    .isInstanceOf(WriteReply.Stored.class);
        }
    }

    /**
     * In any order of replies: rows with a lower timestamp are removed, rows with a higher one
     * exist.
     */
    @Test
    void concurrentWritesAndRemovalsHaveOneOrder() throws Exception {
        long seed = Long.getLong("crabro.seed", 20_26);
        int documents = 40;
        Map<DocumentId, Long> written = new ConcurrentHashMap<>();
        Map<String, Long> removed = new ConcurrentHashMap<>();
        DocumentStore store = open();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                var chance = new Random(seed + thread);
                done.add(threads.submit(() -> write(store, chance, documents, written, removed)));
            }
            done.add(threads.submit(() -> flushOften(store)));
            for (Future<?> each : done) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("seed " + seed, e.getCause());
        }

        Between[] all = Between.values();
        DocumentStore now = store;
        for (Between between : all) {
            now = between.pass(this, now);
            var expected = new java.util.TreeMap<String, String>();
            written.forEach((id, timestamp) -> {
                String group = id.key().text().substring(2);
                if (timestamp > removed.getOrDefault(group, 0L)) {
                    expected.put(id.toString(), "x");
                }
            });
            assertThat(seen(now, EVERYTHING)).as("%s, seed %d", between, seed).isEqualTo(expected);
            assertThat(expected).isNotEmpty();
        }
        now.close();
    }

    private static void write(
            DocumentStore store,
            Random chance,
            int documents,
            Map<DocumentId, Long> written,
            Map<String, Long> removed) {
        for (int i = 0; i < 400; i++) {
            String group = chance.nextBoolean() ? "a" : "b";
            if (chance.nextInt(20) == 0) {
                long timestamp = ((WriteReply.Stored) removeGroup(store, group)).timestamp();
                removed.merge(group, timestamp, Math::max);
            } else if (chance.nextInt(10) == 0) {
                var writes = new ArrayList<Write.Row>();
                for (int each = chance.nextInt(1, 10); each > 0; each--) {
                    String any = chance.nextBoolean() ? "a" : "b";
                    writes.add(Notes.write(id(any, chance.nextInt(documents)), "x"));
                }
                List<WriteReply> replies = store.write(writes, List.of(), Notes.soon());
                for (int each = 0; each < writes.size(); each++) {
                    note(written, writes.get(each).id(), replies.get(each));
                }
            } else {
                DocumentId id = id(group, chance.nextInt(documents));
                note(written, id, put(store, id, "x"));
            }
        }
    }

    private static void note(Map<DocumentId, Long> written, DocumentId id, WriteReply reply) {
        written.merge(id, ((WriteReply.Stored) reply).timestamp(), Math::max);
    }

    private static void flushOften(DocumentStore store) {
        for (int i = 0; i < 20; i++) {
            try {
                store.flush();
                store.compact();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    /** A row that was proposed before the removal of its group is never applied after it. */
    @Test
    void waitsForWritersOfTheGroupAndTheyWaitForIt() {
        var locks = new WriteLocks();
        LocationKey group = new LocationKey.Group("a");
        WriteLock several = locks.shared(List.of(id("a", 1), id("a", 2), Notes.plain(1)));
        WriteLock removal = locks.exclusive("note", group);
        Deadline now = Deadline.after(Duration.ZERO);
        assertThat(several.acquire(Notes.soon())).isTrue();
        assertThat(locks.shared(id("a", 3)).acquire(Notes.soon())).isTrue();
        assertThat(removal.acquire(now)).isFalse();

        several.release();
        assertThat(removal.acquire(now)).isFalse();
        locks.shared(id("a", 3)).release();
        assertThat(removal.acquire(now)).isTrue();

        assertThat(locks.shared(id("a", 1)).acquire(now)).isFalse();
        assertThat(several.acquire(now)).isFalse();
        assertThat(locks.shared(Notes.plain(1)).acquire(now)).isTrue();
        removal.release();
        assertThat(locks.shared(id("a", 1)).acquire(now)).isTrue();
    }
}
