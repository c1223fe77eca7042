package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.read.View;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactorTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1));
    private static final int TIERS_MAX = 8;
    private static final int BYTES_PER_SECOND = 1 << 20;
    private static final CompactionSettings SETTINGS =
            new CompactionSettings(
                    false,
                    4,
                    TIERS_MAX,
                    1 << 20,
                    BYTES_PER_SECOND,
                    Duration.ofDays(1),
                    Duration.ofDays(30));

    @RegisterExtension
    final FaultyLogFiles files = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 1)));

    private final TypeFiles types;
    private final Partition partition;
    private final Compactor compactor;
    private long position;

    CompactorTest() throws IOException {
        types = TypeFiles.open(files);
        types.keep(Notes.TYPE, SearchedTexts.NONE, IndexedFields.NONE, GraphFields.NONE);
        partition =
                new Partition(
                        0,
                        RunLog.open(files, "partitions/00", types),
                        types,
                        CLOCK,
                        new RecentBudget(1 << 20));
        compactor = new Compactor(List.of(partition), SETTINGS);
    }

    @AfterEach
    void close() throws IOException {
        partition.close();
    }

    @Test
    void yieldsToReadersUnlessAFlushWaitsOrTiersAreMany() throws IOException {
        addTiers(TIERS_MAX / 2 - 1);
        assertThat(compactor.pauseMillis(BYTES_PER_SECOND, false)).isZero();

        View view = partition.view();
        assertThat(compactor.pauseMillis(BYTES_PER_SECOND, false)).isEqualTo(1_000);
        assertThat(compactor.pauseMillis(BYTES_PER_SECOND / 4, false)).isEqualTo(250);
        assertThat(compactor.pauseMillis(BYTES_PER_SECOND, true)).isZero();

        addTiers(1);
        assertThat(compactor.pauseMillis(BYTES_PER_SECOND, false)).isZero();
        view.close();
    }

    @Test
    void makesRoomForOneMoreTierWhereThereIsNone() throws IOException {
        addTiers(TIERS_MAX - 1);
        compactor.makeRoom(partition);
        assertThat(partition.tierCount()).isEqualTo(TIERS_MAX - 1);

        addTiers(1);
        compactor.makeRoom(partition);
        assertThat(partition.tierCount()).isLessThan(TIERS_MAX);
    }

    /** There are no automatic merges in this test. */
    @Test
    void flushingWaitsForMergingAtTheMostTiers() throws IOException {
        var settings =
                new RecentSettings(
                        40_000,
                        Duration.ofDays(1),
                        new JournalSettings(
                                64 << 20, 64 << 10, 2, Duration.ofDays(1), 100, 1 << 20),
                        FeedLimits.DEFAULT.withRowBytes(20_000).withReservedBytes(0),
                        SETTINGS,
                        new OverloadSettings(Duration.ofSeconds(30), Duration.ofMillis(1)));
        var others = new FaultyLogFiles(new Random(1));
        try (DocumentStore store =
                DocumentStore.open(
                        others, StoreOptions.of(Notes.PARTITIONS.count(), settings, CLOCK))) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            int writes = 0;
            while (store.statistics().merges().flushes() < 3 * TIERS_MAX) {
                WriteReply reply = Notes.put(store, Notes.id("a", writes), "x".repeat(10_000));
                assertThat(reply).isInstanceOf(WriteReply.Stored.class);
                assertThat(store.statistics().runs().tiers()).isLessThanOrEqualTo(TIERS_MAX);
                writes++;
            }
        }
    }

    @Test
    void mergesElsewhereWhileARunIsAdded() throws Exception {
        RunLog busyRuns = RunLog.open(files, "partitions/01", types);
        var busy = new Partition(1, busyRuns, types, CLOCK, new RecentBudget(1 << 20));
        addTiers(busy, 4);
        addTiers(4);
        var both = new Compactor(List.of(busy, partition), SETTINGS);
        var isAdding = new CountDownLatch(1);
        try (ExecutorService adding = Executors.newSingleThreadExecutor()) {
            Future<?> added =
                    adding.submit(() -> {
                        busyRuns.add(
                                _ -> {
                                    isAdding.countDown();
                                    await().atMost(ONE_MINUTE)
                                            .pollInterval(ONE_MILLISECOND)
                                            .untilAsserted(() ->
                                                    assertThat(partition.tierCount()).isEqualTo(1));
                                },
                                position,
                                busyRuns.lastTimestamp(),
                                1);
                        return null;
                    });
            isAdding.await();
            assertThat(busy.isBusy()).isTrue();

            both.compactAll();

            added.get();
            assertThat(busy.isBusy()).isFalse();
            assertThat(partition.tierCount()).isEqualTo(1);
            assertThat(busy.tierCount()).isEqualTo(1);
        } finally {
            busy.close();
        }
    }

    private void addTiers(int count) throws IOException {
        addTiers(partition, count);
    }

    private void addTiers(Partition to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            position++;
            byte[] row = Notes.write(Notes.id("a", (int) position), "text").bytes();
            to.apply(position, List.of(row));
            to.flush();
        }
    }
}
