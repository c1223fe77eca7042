package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.protocol.encoding.RowEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of another replica wait for memory, as rows of writers do. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoomToApplyTest {
    private static final int LIMIT = 1 << 20;
    private static final int ENTRIES = 1_600;
    private static final int TEXT = 10_000;

    private final FaultyLogFiles files = new FaultyLogFiles(new Random(1));
    private final AtomicInteger applied = new AtomicInteger();
    private final AtomicLong highest = new AtomicLong();

    @Test
    void theRowsOfAFollowerStayWithinTheBudgetWhileRunsAreWritten() throws Exception {
        var log = new AppliedLog();
        try (DocumentStore store = open(log)) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);

            Thread applying = Thread.ofPlatform().start(() -> applyAll(store, log));
            applying.join();

            assertThat(applied).hasValue(ENTRIES);
            // Pages of rows are larger than an entry.
            assertThat(highest.get()).isBetween((long) LIMIT, 3L * LIMIT);
        }
    }

    @Test
    void aFollowerWhoseDiskIsFullWaitsAndContinues() throws Exception {
        var log = new AppliedLog();
        try (DocumentStore store = open(log)) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            files.limitFree(0);

            Thread applying = Thread.ofPlatform().start(() -> applyAll(store, log));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> applying.getState() == Thread.State.TIMED_WAITING);

            assertThat(applied.get()).isLessThan(ENTRIES);
            assertThat(highest.get()).isLessThan(3L * LIMIT);
            files.limitCapacity(Long.MAX_VALUE);
            applying.join();
            assertThat(applied).hasValue(ENTRIES);
        }
    }

    @Test
    void aStoreThatIsClosedDoesNotWaitForRoom() throws Exception {
        var log = new AppliedLog();
        Thread applying;
        try (DocumentStore store = open(log)) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            files.limitFree(0);
            applying = Thread.ofPlatform().start(() -> applyAll(store, log));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> applying.getState() == Thread.State.TIMED_WAITING);
            log.isClosed = true;
        }

        applying.join();

        assertThat(applied.get()).isLessThan(ENTRIES);
    }

    private DocumentStore open(AppliedLog log) throws Exception {
        return DocumentStore.open(
                files,
                StoreOptions.of(
                                Notes.PARTITIONS.count(),
                                RecentSettings.DEFAULT.withRecentBytes(LIMIT),
                                InstantSource.system())
                        .with(log));
    }

    private void applyAll(DocumentStore store, AppliedLog log) {
        for (int i = 0; i < ENTRIES && !log.isClosed; i++) {
            byte[] row = Notes.write(Notes.plain(i), "x".repeat(TEXT)).bytes();
            RowEncoding.stamp(row, i + 1);
            log.applier().awaitRoom();
            if (!log.isClosed) {
                log.position = i + 1L;
                log.applier()
                        .apply(
                                Notes.PARTITIONS.of(Notes.plain(i).location()),
                                log.position,
                                List.of(row));
                applied.incrementAndGet();
                highest.accumulateAndGet(store.statistics().writes().recentBytes(), Math::max);
            }
        }
    }

    /** The journal of a replica that accepts no rows. */
    private static final class AppliedLog implements ShardJournals, MemoryJournal {
        private final List<Applier> appliers = new ArrayList<>();
        private volatile long position;
        private volatile boolean isClosed;

        @Override
        public int count() {
            return 1;
        }

        @Override
        public Journal start(int shard, Applier applier) {
            appliers.add(applier);
            return this;
        }

        Applier applier() {
            return appliers.getFirst();
        }

        @Override
        public long term() {
            return NO_TERM;
        }

        @Override
        public Proposal current() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Proposal> propose(RowProposal rows, Runnable whenDone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long applied() {
            return position;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
