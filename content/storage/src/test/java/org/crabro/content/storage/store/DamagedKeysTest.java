package org.crabro.content.storage.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A block of the oldest run has unreadable keys: flushes and merges continue. */
class DamagedKeysTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private static final RecentSettings SETTINGS =
            RecentSettings.DEFAULT
                    .withFeed(FeedLimits.DEFAULT.withReservedBytes(0))
                    .withCompaction(
                            new CompactionSettings(
                                    false,
                                    2,
                                    32,
                                    1 << 20,
                                    1 << 20,
                                    Duration.ofDays(14),
                                    Duration.ofDays(30)));

    /** Small groups of one partition that share a block, in the order of its keys. */
    private static final List<String> GROUPS =
            IntStream.range(0, 200)
                    .mapToObj(i -> "group" + i + "x")
                    .filter(group -> Notes.PARTITIONS.of(DocumentId.locationOfGroup(group)) == 1)
                    .toList();

    private static final String RUN = "partitions/01/1.run";

    private int damaged;

    @RegisterExtension
    final FaultyLogFiles files = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 2026)));

    @Test
    void flushesTheRemovalOfAGroupThatMayBeInTheBlock() throws IOException {
        writeFirstRun();
        damageKeys();
        try (DocumentStore store = open()) {
            WriteReply removed = Notes.removeGroup(store, GROUPS.get(3));
            Notes.put(store, Notes.id(GROUPS.get(4), 7), "another document");
            store.flush();

            assertThat(removed).isInstanceOf(WriteReply.Stored.class);
            assertThat(store.statistics().merges().flushes()).isOne();
            assertThat(Notes.text(store, Notes.id(GROUPS.get(4), 7))).isEqualTo("another document");
        }
        repairKeys();
        try (DocumentStore store = open()) {
            // Replaced rows that could not be searched when the run was written stay unknown.
            assertThat(Notes.text(store, Notes.id(GROUPS.get(3), 1))).isEmpty();
            assertThat(Notes.text(store, Notes.id(GROUPS.get(4), 7))).isEqualTo("another document");
        }
    }

    @Test
    void mergesTheOtherRunsWhereItIsNotKnownWhatOfABlockIsReplaced() throws IOException {
        writeFirstRun();
        damageKeys();
        try (DocumentStore store = open()) {
            Notes.removeGroup(store, GROUPS.get(3));
            store.flush();
            for (int i = 0; i < 4; i++) {
                writeAll(store, 10 + i);
                store.flush();
            }
            store.compact();
            long tiers = store.statistics().runs().tiers();
            long written = store.statistics().merges().bytesWritten();
            store.compact();

            assertThat(tiers).isLessThanOrEqualTo(3);
            assertThat(written).isPositive();
            assertThat(store.statistics().merges().bytesWritten()).isEqualTo(written);
            assertThat(Notes.text(store, Notes.id(GROUPS.get(5), 12))).isEqualTo("12");
        }
    }

    @Test
    void triesOnceToMergeWhatCannotBeReadAndThenMergesTheOthers() throws IOException {
        writeFirstRun();
        try (DocumentStore store = open()) {
            writeAll(store, 10);
            store.flush();
        }
        damageKeys();
        try (DocumentStore store = open()) {
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(store::compact)
                    .withMessageContaining(RUN);
            store.compact();
            long untouched = store.statistics().merges().bytesWritten();
            for (int i = 1; i < 4; i++) {
                writeAll(store, 10 + i);
                store.flush();
            }
            store.compact();

            assertThat(untouched).isZero();
            assertThat(store.statistics().merges().bytesWritten()).isPositive();
            assertThat(store.statistics().runs().tiers()).isLessThanOrEqualTo(3);
            for (int i = 0; i < 4; i++) {
                assertThat(Notes.text(store, Notes.id(GROUPS.get(5), 10 + i)))
                        .isEqualTo("" + (10 + i));
            }
        }
        repairKeys();
        try (DocumentStore store = open()) {
            store.compact();

            assertThat(store.statistics().runs().tiers()).isOne();
            assertThat(Notes.text(store, Notes.id(GROUPS.get(5), 1))).isEqualTo("1");
            assertThat(Notes.text(store, Notes.id(GROUPS.get(5), 10))).isEqualTo("10");
        }
    }

    private void writeFirstRun() throws IOException {
        try (DocumentStore store = open()) {
            writeAll(store, 1);
            store.flush();
        }
    }

    private static void writeAll(DocumentStore store, int number) {
        for (String group : GROUPS) {
            Notes.put(store, Notes.id(group, number), "" + number);
        }
    }

    /** Flips a bit in the texts of the groups in the block. */
    private void damageKeys() throws IOException {
        try (LogFiles.LogFile file = files.open(RUN)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            damaged = new String(bytes.array(), ISO_8859_1).indexOf("xg=" + GROUPS.get(3));
        }
        assertThat(damaged).isPositive();
        files.damage(RUN, damaged);
    }

    /** Flips it back. */
    private void repairKeys() throws IOException {
        files.damage(RUN, damaged);
    }

    private DocumentStore open() throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files, StoreOptions.of(Notes.PARTITIONS.count(), SETTINGS, CLOCK));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }
}
