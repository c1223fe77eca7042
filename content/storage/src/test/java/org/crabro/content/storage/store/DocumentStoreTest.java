package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.core.ConditionFactory;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.CorruptJournalException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.JournalReport;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.SegmentSummary;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.text.Folding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DocumentStoreTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final int LARGE_GROUPS = 24;
    private static final KeyRange EVERYTHING = new KeyRange.Everything();
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));
    private static final RecentSettings SETTINGS =
            new RecentSettings(
                    1 << 20,
                    Duration.ofHours(1),
                    journal(1 << 20),
                    FeedLimits.DEFAULT.withRowBytes(20_000).withReservedBytes(0),
                    CompactionSettings.DEFAULT,
                    new OverloadSettings(Duration.ofSeconds(30), Duration.ofMillis(10)));

    @RegisterExtension
    final FaultyLogFiles files = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 20_26)));

    @Test
    void showsTheNewestVersionWhereverItLies() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "old, in a run");
            Notes.put(store, Notes.id("a", 2), "kept in a run");
            Notes.put(store, Notes.id("a", 3), "removed later");
            store.flush();
            Notes.put(store, Notes.id("a", 1), "replaced");
            Notes.put(store, Notes.id("a", 1), "newest");
            Notes.remove(store, Notes.id("a", 3));
            Notes.put(store, Notes.plain(1), "recent");

            assertThat(Notes.seen(store, EVERYTHING))
                    .hasToString(
                            "{id:test:note::1=recent, id:test:note:g=a:1=newest,"
                                    + " id:test:note:g=a:2=kept in a run}");
            assertThat(Notes.text(store, Notes.id("a", 1))).isEqualTo("newest");
            assertThat(Notes.text(store, Notes.id("a", 2))).isEqualTo("kept in a run");
            assertThat(Notes.text(store, Notes.id("a", 3))).isEmpty();
        }
    }

    @Test
    void countsWhatItHolds() throws IOException {
        try (DocumentStore store = open()) {
            ContentStatistics empty = store.statistics();
            Notes.put(store, Notes.id("a", 1), "kept");
            Notes.put(store, Notes.id("a", 2), "removed");
            Notes.remove(store, Notes.id("a", 2));
            Notes.remove(store, Notes.id("a", 3));
            Notes.put(store, Notes.id("a", 3), "written again");
            ContentStatistics recent = store.statistics();
            store.flush();
            ContentStatistics flushed = store.statistics();
            Notes.remove(store, Notes.id("a", 1));
            Notes.remove(store, Notes.id("a", 3));
            store.flush();
            ContentStatistics removed = store.statistics();

            assertThat(held(empty)).containsExactly(0L, 0L, 0L);
            assertThat(held(recent)).containsExactly(2L, 1L, 1L);
            assertThat(held(flushed)).containsExactly(2L, 1L, 1L);
            assertThat(held(removed)).containsExactly(0L, 3L, 0L);
            assertThat(recent.runs().bytes()).isZero();
            assertThat(flushed.runs().bytes()).isPositive();
            assertThat(removed.runs().bytes()).isGreaterThan(flushed.runs().bytes());
        }
    }

    /** Large enough for two flushing threads. */
    @Test
    void flushesMuchAtOnce() throws IOException {
        String text = "x".repeat(15_000);
        var settings = SETTINGS.withRecentBytes(1L << 30).withJournal(journal(1 << 30));
        try (DocumentStore store = open(settings)) {
            Map<String, String> expected = new TreeMap<>();
            for (int i = 0; i < 800; i++) {
                DocumentId id = Notes.id("group" + i, 1);
                Notes.put(store, id, text + i);
                expected.put(id.toString(), text + i);
            }
            store.flush();
            ContentStatistics flushed = store.statistics();

            assertThat(flushed.merges().flushes()).isEqualTo(Notes.PARTITIONS.count());
            assertThat(flushed.runs().count()).isEqualTo(Notes.PARTITIONS.count());
            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected);

            for (int i = 0; i < 800; i++) {
                Notes.put(store, Notes.id("group" + i, 1), text + "again");
                expected.put(Notes.id("group" + i, 1).toString(), text + "again");
            }
            files.failAfter(FaultyLogFiles.Effect.CREATE, 1);
            assertThatExceptionOfType(IOException.class).isThrownBy(store::flush);
            files.failNothing();
            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected);
            store.flush();

            assertThat(Notes.seen(store, EVERYTHING)).isEqualTo(expected);
        }
    }

    private static List<Long> held(ContentStatistics of) {
        return List.of(
                of.held().documents(), of.held().tombstones(), (long) of.held().partitions());
    }

    @Test
    void writesRunsAnewWhoseTextsAreSearchedInAnotherWay() throws IOException {
        var accents = new SearchedTexts(Map.of("text", Folding.ACCENTS));
        var cased = new SearchedTexts(Map.of("text", Folding.NONE));
        // An automatic merge updates its counters a moment after its result is visible.
        var alone = CompactionSettings.DEFAULT.withAutomatic(false);
        try (DocumentStore store = open(SETTINGS.withCompaction(alone))) {
            Notes.put(store, Notes.id("a", 1), "Searched by words");
            store.flush();
            boolean atFirst = lacksTokens(store, accents);
            store.keep(Notes.TYPE, accents);
            store.compact();
            boolean afterwards = lacksTokens(store, accents);
            long written = store.statistics().merges().bytesWritten();
            store.compact();
            long writtenAgain = store.statistics().merges().bytesWritten();
            store.keep(Notes.TYPE, cased);
            store.compact();

            assertThat(atFirst).isTrue();
            assertThat(afterwards).isFalse();
            assertThat(writtenAgain).isEqualTo(written);
            assertThat(lacksTokens(store, cased)).isFalse();
            assertThat(Notes.text(store, Notes.id("a", 1))).isEqualTo("Searched by words");
        }
    }

    @Test
    void mergesDropTheValuesOfRemovedFields() throws IOException {
        var more =
                new DocumentType(
                        "note",
                        List.of(
                                new Field("text", FieldType.Primitive.STRING, true),
                                new Field("secret", FieldType.Primitive.STRING, true),
                                new Field("year", FieldType.Primitive.INT, true)));
        FieldValue text = new FieldValue.StringValue("stays");
        Map<String, FieldValue> fields =
                Map.of(
                        "text", text,
                        "secret", new FieldValue.StringValue("goes"),
                        "year", new FieldValue.IntValue(1987));
        DocumentId id = Notes.id("a", 1);
        int partition = Notes.PARTITIONS.of(id.location());
        var alone = CompactionSettings.DEFAULT.withAutomatic(false);
        try (DocumentStore store = open(SETTINGS.withCompaction(alone))) {
            store.keep(more, SearchedTexts.NONE);
            var row = new Row(id, 0, more.fingerprint(), false, fields);
            store.write(
                    new Write.Row(partition, id, RowEncoding.encode(row, more)),
                    Optional.empty(),
                    Notes.soon());
            store.flush();
            // Texts that are searched differently make a merge due.
            store.keep(Notes.TYPE, new SearchedTexts(Map.of("text", Folding.ACCENTS)));
            Map<String, FieldValue> unmerged = newest(store, id);
            long before = store.documentsWith("note", "secret");
            store.compact();
            store.keep(more, SearchedTexts.NONE);

            assertThat(unmerged).isEqualTo(fields);
            assertThat(before).isEqualTo(1);
            assertThat(newest(store, id)).isEqualTo(Map.of("text", text));
            assertThat(store.documentsWith("note", "secret")).isZero();
            assertThat(store.documentsWith("note", "text")).isEqualTo(1);
        }
    }

    private static Map<String, FieldValue> newest(DocumentStore store, DocumentId id) {
        return store.newest(
                        Notes.PARTITIONS.of(id.location()),
                        id,
                        new ReadContext(),
                        ValueBudget.UNLIMITED)
                .orElseThrow()
                .fields();
    }

    private static boolean lacksTokens(DocumentStore store, SearchedTexts texts) {
        int partition = Notes.PARTITIONS.of(Notes.id("a", 1).location());
        try (View view = store.view(partition)) {
            return view.slices("note", EVERYTHING).stream()
                    .map(slice -> slice.block())
                    .anyMatch(block -> block.lacksTokens(texts));
        }
    }

    @Test
    void givesLargeGroupsBlocksOfTheirOwnAmongSmallOnes() throws IOException {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        try (DocumentStore store = open()) {
            for (int group = 0; group < LARGE_GROUPS; group++) {
                for (int i = 0; i < 5; i++) {
                    Notes.put(store, Notes.id("large" + group, i), noise(random, 15_000));
                }
                for (int small = 0; small < 10; small++) {
                    Notes.put(store, Notes.id("small" + group + "-" + small, 1), "a");
                }
                if (group % 4 == 3) {
                    store.flush();
                }
            }
            List<String> flushed = sharedBlocks(store);
            store.compact();

            assertThat(flushed).as("seed %d", seed).isEmpty();
            assertThat(sharedBlocks(store)).as("seed %d", seed).isEmpty();
            assertThat(store.statistics().merges().bytesWritten()).isPositive();
        }
    }

    /** Returns the large groups that do not begin with a block. */
    private static List<String> sharedBlocks(DocumentStore store) {
        var shared = new ArrayList<String>();
        for (int group = 0; group < LARGE_GROUPS; group++) {
            String name = "large" + group;
            int partition = Notes.PARTITIONS.of(Notes.id(name, 1).location());
            try (View view = store.view(partition)) {
                for (BlockSlice slice : view.slices("note", new KeyRange.Group(name))) {
                    if (slice.from() > 0 || slice.to() < slice.block().rowCount()) {
                        shared.add(name);
                    }
                }
            }
        }
        return shared;
    }

    private static String noise(Random random, int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(Long.toString(random.nextLong(), Character.MAX_RADIX)).append(' ');
        }
        return text.toString();
    }

    @Test
    void showsOneGroupAlone() throws IOException {
        try (DocumentStore store = open()) {
            for (int i = 0; i < 20; i++) {
                Notes.put(store, Notes.id("a", i), "a" + i);
                Notes.put(store, Notes.id("b", i), "b" + i);
                if (i == 10) {
                    store.flush();
                }
            }

            assertThat(Notes.seen(store, new KeyRange.Group("b")).values())
                    .hasSize(20)
                    .allMatch(text -> text.startsWith("b"));
            assertThat(Notes.seen(store, new KeyRange.Group("none"))).isEmpty();
        }
    }

    @Test
    void aViewShowsOneMoment() throws IOException {
        DocumentId id = Notes.id("a", 1);
        try (DocumentStore store = open()) {
            Notes.put(store, id, "before");
            try (View view = store.view(Notes.PARTITIONS.of(id.location()))) {
                assertThat(Notes.seen(view, EVERYTHING).values()).containsExactly("before");
                Notes.put(store, id, "behind");
                Notes.put(store, Notes.id("a", 2), "new");
                store.flush();
                Notes.remove(store, id);
                store.flush();

                assertThat(Notes.seen(view, EVERYTHING).values()).containsExactly("before");
            }
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly("new");
            assertThat(store.statistics().runs().openViews()).isZero();
        }
    }

    @Test
    void sealsBlocksOfLargeGroups() throws IOException {
        try (DocumentStore store = open(SETTINGS.withRecentBytes(64 << 20))) {
            for (int i = 0; i < 3_000; i++) {
                Notes.put(store, Notes.id("a", i % 1_500), "version " + i);
                if (i % 700 == 0) {
                    assertThat(Notes.seen(store, EVERYTHING)).hasSize(Math.min(i + 1, 1_500));
                }
            }

            assertThat(Notes.seen(store, EVERYTHING))
                    .hasSize(1_500)
                    .containsEntry("id:test:note:g=a:0", "version 1500")
                    .containsEntry("id:test:note:g=a:1499", "version 2999");
        }
    }

    @Test
    void findsEverythingAfterARestart() throws IOException {
        try (DocumentStore store = open()) {
            for (int i = 0; i < 50; i++) {
                Notes.put(store, Notes.id("g" + i % 5, i), "first " + i);
            }
            store.flush();
            for (int i = 0; i < 50; i += 2) {
                Notes.put(store, Notes.id("g" + i % 5, i), "second " + i);
            }
            Notes.remove(store, Notes.id("g1", 1));
        }

        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING))
                    .hasSize(49)
                    .containsEntry("id:test:note:g=g2:2", "second 2")
                    .containsEntry("id:test:note:g=g3:3", "first 3");
            assertThat(Notes.text(store, Notes.id("g1", 1))).isEmpty();
        }
    }

    @Test
    void timestampsAndPositionsRiseWhateverTheClockDoes() throws IOException {
        long lastTimestamp = 0;
        long lastPosition = 0;
        Instant[] times = {
            Instant.ofEpochSecond(2_000), Instant.ofEpochSecond(1_000), Instant.ofEpochSecond(3_000)
        };
        for (Instant time : times) {
            try (DocumentStore store =
                    DocumentStore.open(
                            files,
                            StoreOptions.of(
                                    Notes.PARTITIONS.count(),
                                    SETTINGS,
                                    InstantSource.fixed(time)))) {
                store.keep(Notes.TYPE, SearchedTexts.NONE);
                for (int i = 0; i < 3; i++) {
                    var reply = (WriteReply.Stored) Notes.put(store, Notes.id("a", i), "text");
                    assertThat(reply.timestamp()).isGreaterThan(lastTimestamp);
                    assertThat(reply.position().position()).isGreaterThan(lastPosition);
                    lastTimestamp = reply.timestamp();
                    lastPosition = reply.position().position();
                    if (time.getEpochSecond() == 2_000) {
                        store.flush();
                    }
                }
            }
        }
        assertThat(lastTimestamp).isEqualTo(3_000_000_002L);
    }

    @Test
    void aPlainWriteReadsNothing() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "first");
            store.flush();
            int reads = files.reads();

            Notes.put(store, Notes.id("a", 1), "second");
            Notes.remove(store, Notes.id("a", 1));

            assertThat(files.reads()).isEqualTo(reads);
        }
    }

    @Test
    void oneWriterIsForcedForEachWrite() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 0), "makes the file");
            long forces = store.statistics().writes().forces();

            for (int i = 0; i < 20; i++) {
                Notes.put(store, Notes.id("a", i), "text");
            }

            assertThat(store.statistics().writes().forces() - forces).isEqualTo(20);
        }
    }

    @Test
    void oneForceServesAllThatWait() throws Exception {
        try (DocumentStore store = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            Notes.put(store, Notes.id("a", 0), "makes the file");
            int forces = files.forces();
            List<Future<WriteReply>> replies = new ArrayList<>();

            files.holdForces();
            for (int i = 0; i < 64; i++) {
                DocumentId id = Notes.plain(i);
                replies.add(writers.submit(() -> Notes.put(store, id, "text")));
                EVENTUALLY.untilAsserted(() -> assertThat(files.forces()).isGreaterThan(forces));
            }
            // One write is in the force. The other 63 wait for the next force.
            EVENTUALLY.untilAsserted(() ->
                    assertThat(store.statistics().writes().waiting()).isGreaterThanOrEqualTo(63));
            assertThat(replies).noneMatch(Future::isDone);
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(1);
            files.releaseForces();
            for (Future<WriteReply> reply : replies) {
                assertThat(reply.get()).isInstanceOf(WriteReply.Stored.class);
            }

            assertThat(files.forces() - forces).isEqualTo(2);
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(65);
        }
    }

    @Test
    void keepsTheOrderOfOneId() throws Exception {
        DocumentId id = Notes.id("a", 1);
        try (DocumentStore store = open();
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<WriteReply>> writes = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String text = "version " + i;
                writes.add(() -> Notes.put(store, id, text));
            }
            long newest = 0;
            String expected = "";
            List<Future<WriteReply>> replies = writers.invokeAll(writes);
            for (int i = 0; i < replies.size(); i++) {
                var stored = (WriteReply.Stored) replies.get(i).get();
                if (stored.position().position() > newest) {
                    newest = stored.position().position();
                    expected = "version " + i;
                }
            }

            assertThat(Notes.text(store, id)).isEqualTo(expected);
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly(expected);
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(1);
        }
    }

    /** Groups, numbers and plain ids of one location are adjacent, in one run. */
    @Test
    void flushesWhatHashesToOnePlaceInOrder() throws IOException {
        List<DocumentId> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            DocumentId plain = Notes.plain(i % 20);
            String number = Long.toUnsignedString(plain.location());
            ids.add(plain);
            ids.add(DocumentId.parse("id:test:note:n=%s:%d".formatted(number, i)));
            ids.add(DocumentId.parse("id:other:note:n=%s:%d".formatted(number, i)));
            ids.add(DocumentId.parse("id:test:note:g=%d:%d".formatted(i % 20, i)));
        }
        try (DocumentStore store = open()) {
            for (DocumentId id : ids) {
                Notes.put(store, id, "of " + id);
            }
            assertThat(Notes.removeGroup(store, "7")).isInstanceOf(WriteReply.Stored.class);
            Notes.put(store, Notes.id("7", 7), "anew");

            store.flush();

            assertThat(Notes.text(store, Notes.id("7", 7))).isEqualTo("anew");
            assertThat(Notes.text(store, Notes.id("7", 27))).isEmpty();
            ids.removeIf(id -> id.key().text().equals("g=7"));
            assertThat(ids).allMatch(id -> Notes.text(store, id).equals("of " + id));
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(20 + 80 + 38 + 1);
        }
    }

    @Test
    void writesManyRowsAtOnceAndKeepsTheOrderOfOneId() throws IOException {
        List<Write.Row> writes = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            writes.add(Notes.write(Notes.plain(i % 60), "version " + i));
        }
        DocumentId large = Notes.id("a", 1);
        writes.add(40, Notes.write(large, "x".repeat(SETTINGS.feed().rowBytes())));
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 0), "makes the file");
            long forces = store.statistics().writes().forces();

            List<WriteReply> replies =
                    new ArrayList<>(store.write(writes, List.of(), Notes.soon()));

            assertThat(replies).hasSize(91);
            assertThat(replies.get(40)).isInstanceOf(WriteReply.Rejected.class);
            replies.remove(40);
            assertThat(replies).allMatch(WriteReply.Stored.class::isInstance);
            assertThat(store.statistics().writes().forces() - forces).isEqualTo(1);
            assertThat(Notes.text(store, Notes.plain(5))).isEqualTo("version 65");
            assertThat(Notes.text(store, Notes.plain(35))).isEqualTo("version 35");
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(61);
            var first = (WriteReply.Stored) replies.get(5);
            var second = (WriteReply.Stored) replies.get(65);
            assertThat(second.timestamp()).isGreaterThan(first.timestamp());
            assertThat(second.position().position()).isGreaterThan(first.position().position());
            assertThat(store.await(second.position(), Notes.soon())).isTrue();
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.text(store, Notes.plain(5))).isEqualTo("version 65");
        }
    }

    @Test
    void letsGoOfEveryLockWhereTheJournalFailed() throws IOException {
        List<Write.Row> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(Notes.write(Notes.plain(i), "text"));
        }
        try (DocumentStore store = open()) {
            files.failForceAfter(1);

            for (int again = 0; again < 2; again++) {
                assertThat(store.write(writes, List.of(), Notes.soon()))
                        .allMatch(WriteReply.Failed.class::isInstance);
            }
        }
    }

    @Test
    void flushesWhenTheBudgetIsPassedAndUsesTheJournalAgain() throws IOException {
        try (DocumentStore store = open(SETTINGS.withRecentBytes(100_000))) {
            for (int i = 0; i < 10_000; i++) {
                WriteReply reply = Notes.put(store, Notes.plain(i), "x".repeat(200));
                assertThat(reply).isInstanceOf(WriteReply.Stored.class);
            }

            ContentStatistics statistics = store.statistics();
            assertThat(statistics.merges().flushes()).isPositive();
            assertThat(statistics.writes().recentBytes()).isLessThan(210_000);
            // All rows would need more than 40 files; how many are in use depends on the flushes.
            assertThat(files.list("journal")).hasSizeLessThan(25);
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(10_000);
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(10_000);
        }
    }

    @Test
    void flushesWhatKeepsTheJournalLong() throws IOException {
        var shortJournal = SETTINGS.withRecentBytes(64 << 20).withJournal(journal(200_000));
        try (DocumentStore store = open(shortJournal)) {
            Notes.put(store, Notes.id("quiet", 1), "written once, and kept in the oldest file");
            for (int i = 0; i < 2_000; i++) {
                Notes.put(store, Notes.id("busy", i), "x".repeat(200));
            }
            EVENTUALLY.untilAsserted(() ->
                    assertThat(store.statistics().writes().journalBytes())
                            .isLessThanOrEqualTo(shortJournal.journal().bytes()));

            assertThat(store.statistics().merges().flushes()).isGreaterThanOrEqualTo(2);
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(2_001);
        }
    }

    @Test
    void keepsWhatCouldNotBeFlushedAndFlushesItLater() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "first");
            Notes.put(store, Notes.id("a", 2), "replaced");
            files.failNames("partitions");
            assertThatIOException().isThrownBy(store::flush);
            Notes.put(store, Notes.id("a", 2), "second");
            Notes.put(store, Notes.id("a", 2), "third");
            Notes.put(store, Notes.id("a", 3), "new");
            assertThat(Notes.seen(store, EVERYTHING).values())
                    .containsExactly("first", "third", "new");

            files.failNames("");
            store.flush();

            assertThat(store.statistics().writes().recentBytes()).isZero();
            assertThat(Notes.seen(store, EVERYTHING).values())
                    .containsExactly("first", "third", "new");
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING).values())
                    .containsExactly("first", "third", "new");
        }
    }

    /** A reader that began before the end of a flush uses the flushed table and the next one. */
    @Test
    void showsADocumentOnceThatIsReplacedAfterItWasFlushed() throws IOException {
        DocumentId id = Notes.id("a", 1);
        int partition = Notes.PARTITIONS.of(id.location());
        try (DocumentStore store = open()) {
            Notes.put(store, id, "flushed");
            files.failNames("partitions");
            assertThatIOException().isThrownBy(store::flush);
            files.failNames("");
            try (View early = store.view(partition)) {
                store.flush();
                Notes.put(store, id, "replaced");
                Notes.put(store, id, "replaced again");

                assertThat(Notes.seen(early, EVERYTHING).values())
                        .containsExactly("replaced again");
            }
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly("replaced again");
        }
    }

    /** Otherwise a manifest that cannot be forced would fill the disk with unlisted runs. */
    @Test
    void writesNoRunWhereTheManifestFailedBefore() throws IOException {
        DocumentId id = Notes.id("a", 1);
        int partition = Notes.PARTITIONS.of(id.location());
        try (DocumentStore store = open()) {
            Notes.put(store, id, "kept");
            files.failForceAfter(2);
            assertThatIOException().isThrownBy(store::flush);
            int writes = files.writes();

            assertThatIOException().isThrownBy(() -> store.flush(partition));

            assertThat(files.writes()).isEqualTo(writes);
            assertThat(Notes.text(store, id)).isEqualTo("kept");
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly("kept");
        }
    }

    @Test
    void answersOverloadedWhenFlushingCannotKeepUp() throws IOException {
        var impatient = SETTINGS.withRecentBytes(10_000).withFlushWait(Duration.ZERO);
        WriteReply reply;
        try (DocumentStore store = open(impatient)) {
            files.failNames("partitions");
            do {
                reply = Notes.put(store, Notes.plain(1), "x".repeat(200));
            } while (reply instanceof WriteReply.Stored);
        }

        assertThat(reply).isEqualTo(new WriteReply.Overloaded(Duration.ofMillis(10)));
    }

    @Test
    void answersOverloadedWhenTooMuchWaits() throws Exception {
        int waiting = 4;
        var narrow =
                SETTINGS.withJournal(
                        new JournalSettings(
                                1 << 20, 64 << 10, 2, Duration.ofHours(1), waiting, 1 << 20));
        try (DocumentStore store = open(narrow);
                ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            Notes.put(store, Notes.id("a", 0), "makes the file");
            int forces = files.forces();
            files.holdForces();
            List<Future<WriteReply>> replies = new ArrayList<>();
            for (int i = 0; i <= waiting; i++) {
                DocumentId id = Notes.plain(i);
                replies.add(writers.submit(() -> Notes.put(store, id, "text")));
                EVENTUALLY.untilAsserted(() -> assertThat(files.forces()).isGreaterThan(forces));
            }
            EVENTUALLY.untilAsserted(() ->
                    assertThat(store.statistics().writes().waiting())
                            .isGreaterThanOrEqualTo(waiting));

            WriteReply reply = Notes.put(store, Notes.plain(1_000), "one too many");

            assertThat(reply)
                    .isEqualTo(new WriteReply.Overloaded(SETTINGS.overload().retryAfter()));
            files.releaseForces();
            for (Future<WriteReply> each : replies) {
                assertThat(each.get()).isInstanceOf(WriteReply.Stored.class);
            }
        }
    }

    @Test
    void answersOutOfSpaceBeforeTheDiskIsFull() throws IOException {
        try (DocumentStore store =
                open(SETTINGS.withFeed(SETTINGS.feed().withReservedBytes(350_000)))) {
            files.limitCapacity(600_000);
            WriteReply reply;
            int stored = -1;
            do {
                stored++;
                reply = Notes.put(store, Notes.plain(stored), "x".repeat(1_000));
            } while (reply instanceof WriteReply.Stored);

            assertThat(reply).isInstanceOf(WriteReply.OutOfSpace.class);
            assertThat(stored).isPositive();
            store.flush();
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(stored);
            files.limitCapacity(Long.MAX_VALUE);
            assertThat(Notes.put(store, Notes.plain(stored), "there is room"))
                    .isInstanceOf(WriteReply.Stored.class);
        }
    }

    /** Flushes fail, so that writes find no room in memory before the free space is checked. */
    @Test
    void answersOutOfSpaceWhereAnotherProgramFilledTheDisk() throws IOException {
        RecentSettings small =
                SETTINGS.withRecentBytes(10_000)
                        .withFlushWait(Duration.ZERO)
                        .withFeed(SETTINGS.feed().withReservedBytes(1_000_000));
        try (DocumentStore store = open(small)) {
            files.limitCapacity(1L << 30);
            Notes.put(store, Notes.plain(0), "asks how much is free");
            files.failNames("partitions");
            files.limitCapacity(1_000_000);
            WriteReply reply;
            int stored = 0;
            do {
                stored++;
                reply = Notes.put(store, Notes.plain(stored), "x".repeat(200));
            } while (reply instanceof WriteReply.Stored);

            assertThat(stored).isGreaterThan(1);
            assertThat(reply)
                    .isInstanceOfSatisfying(
                            WriteReply.OutOfSpace.class,
                            refused -> assertThat(refused.reason()).contains("the disk has"));
            assertThat(Notes.remove(store, Notes.plain(0)))
                    .isInstanceOf(WriteReply.Overloaded.class);
        }
    }

    @Test
    void putsNoMoreIntoAGroupThanItMayHold() throws IOException {
        var clock = new SteppingClock();
        RecentSettings narrow = SETTINGS.withFeed(SETTINGS.feed().withGroupBytes(20_000));
        try (DocumentStore store = open(files, narrow, clock)) {
            WriteReply reply;
            int stored = -1;
            do {
                stored++;
                reply = Notes.put(store, Notes.id("a", stored), text(stored));
                if (stored == 5) {
                    store.flush();
                }
            } while (reply instanceof WriteReply.Stored);
            assertThat(reply)
                    .isInstanceOfSatisfying(
                            WriteReply.OutOfSpace.class,
                            refused ->
                                    assertThat(refused.reason())
                                            .contains("group 'g=a'", "type 'note'", "20,000"));
            assertThat(stored).isBetween(8, 20);
            assertThat(Notes.put(store, Notes.id("b", 1), text(1)))
                    .isInstanceOf(WriteReply.Stored.class);
            assertThat(Notes.put(store, Notes.plain(1), text(1)))
                    .isInstanceOf(WriteReply.Stored.class);

            for (int i = 0; i < 5; i++) {
                assertThat(Notes.remove(store, Notes.id("a", i)))
                        .isInstanceOf(WriteReply.Stored.class);
            }
            clock.step(Duration.ofSeconds(2));

            assertThat(Notes.put(store, Notes.id("a", stored), text(stored)))
                    .isInstanceOf(WriteReply.Stored.class);
        }
    }

    /** Hard to compress, so that blocks are about as long as their texts. */
    private static String text(int seed) {
        var random = new Random(seed);
        var text = new StringBuilder();
        while (text.length() < 1_500) {
            text.append((char) random.nextInt(33, 126));
        }
        return text.toString();
    }

    @Test
    void acknowledgesNothingAfterAFailedForce() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "kept");
            files.failForceAfter(1);

            WriteReply unknown = Notes.put(store, Notes.id("a", 2), "unknown");
            WriteReply refused = Notes.put(store, Notes.id("a", 3), "refused");

            assertThat(unknown).isInstanceOf(WriteReply.Failed.class);
            assertThat(refused).isInstanceOf(WriteReply.Failed.class);
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly("kept");
        }
        FaultyLogFiles afterCrash = files.afterCrash(Loss.EVERYTHING);
        try (DocumentStore store = open(afterCrash, SETTINGS)) {
            assertThat(Notes.seen(store, EVERYTHING).values()).containsExactly("kept");
        }
    }

    @Test
    void doesNotStartOverACorruptJournal() throws IOException {
        try (DocumentStore store = open()) {
            for (int i = 0; i < 5; i++) {
                Notes.put(store, Notes.id("a", i), "text");
            }
        }
        files.damage("journal/0.journal", 1_024 + 40);

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(this::open)
                .withMessageContaining("journal/0.journal at byte 1024");
    }

    @Test
    void doesNotStartWithoutItsJournal() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "text");
            assertThat(store.statistics().writes().stored()).isOne();
        }
        files.delete("journal/0.journal");

        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining("'journal' has no files");
    }

    @Test
    void doesNotStartWhereTheJournalIsEmptyBehindRuns() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "text");
            store.flush();
        }
        files.delete("journal/0.journal");
        files.create("journal/0.journal").close();

        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(this::open)
                .withMessageContaining("records up to number 1");
    }

    @Test
    void flushesWhatWasWrittenTooLongAgo() throws IOException {
        var clock = new SteppingClock();
        try (DocumentStore store = open(files, SETTINGS, clock)) {
            Notes.put(store, Notes.id("a", 1), "old");
            clock.step(Duration.ofMinutes(50));
            DocumentId young = other(Notes.id("a", 1));
            Notes.put(store, young, "young");
            store.flushOld();
            assertThat(store.statistics().merges().flushes()).isZero();

            clock.step(Duration.ofMinutes(11));
            store.flushOld();

            assertThat(store.statistics().merges().flushes()).isOne();
            assertThat(
                            store.recent(
                                    Notes.PARTITIONS.of(young.location()),
                                    young,
                                    ValueBudget.UNLIMITED))
                    .isPresent();
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(2);
        }
    }

    @Test
    void deletesFilesOfTheJournalAboveTheSpareNumberWhenItFlushes() throws IOException {
        try (DocumentStore store = open()) {
            putSecrets(store);
            assertThat(files.list("journal")).hasSizeGreaterThan(5);

            store.flush();

            assertThat(files.list("journal")).hasSize(SETTINGS.journal().spareSegments() + 1);
        }
        assertThat(files.list("journal")).hasSize(SETTINGS.journal().spareSegments() + 1);
    }

    /** The last batch of the journal still marks them as needed: no batch follows their release. */
    @Test
    void deletesFilesOfTheJournalThatAnEarlierProcessReleased() throws IOException {
        try (DocumentStore store = open()) {
            putSecrets(store);
            for (int partition = 0; partition < Notes.PARTITIONS.count(); partition++) {
                store.flush(partition);
            }
        }
        assertThat(files.list("journal")).hasSizeGreaterThan(5);
        var clock = new SteppingClock();
        try (DocumentStore store = open(files, SETTINGS, clock)) {
            store.flushOld();
            assertThat(files.list("journal")).hasSize(SETTINGS.journal().spareSegments() + 1);
            for (int look = 0; look < 4; look++) {
                clock.step(Duration.ofMinutes(61));
                store.flushOld();
            }

            assertThat(files.list("journal")).hasSize(1);
            assertThat(bytes("journal/" + files.list("journal").getFirst()).contains("secret"))
                    .as("the journal still has flushed rows")
                    .isFalse();
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(1_000);
        }
    }

    @Test
    void settlesByFlushingAndMergingEverything() throws IOException {
        try (DocumentStore store = openWithoutMerges()) {
            putManyRuns(store);
            Notes.put(store, Notes.id("a", 0), "recent");
            StoreBacklog before = store.backlog();

            boolean isSettled = store.settle(Notes.soon(), () -> false);

            assertThat(before.recentBytes()).isPositive();
            assertThat(before.unmergedPartitions()).isOne();
            assertThat(isSettled).isTrue();
            assertThat(store.backlog()).isEqualTo(new StoreBacklog(0, 0));
            assertThat(store.statistics().runs().count()).isLessThan(RUNS);
            assertThat(Notes.text(store, Notes.id("a", 0))).isEqualTo("recent");
        }
    }

    @Test
    void saysWhatIsLeftWhereTheTimeToSettleIsOver() throws IOException {
        try (DocumentStore store = openWithoutMerges()) {
            putManyRuns(store);

            boolean isSettled = store.settle(Deadline.after(Duration.ZERO), () -> false);

            assertThat(isSettled).isFalse();
            assertThat(store.backlog()).isEqualTo(new StoreBacklog(0, 1));
            assertThatIOException()
                    .isThrownBy(() -> store.settle(Notes.soon(), () -> true))
                    .withMessage("the node is closing");
            assertThat(store.statistics().runs().count()).isEqualTo(RUNS);
        }
    }

    private static final int RUNS = 12;

    private static void putManyRuns(DocumentStore store) throws IOException {
        for (int i = 0; i < RUNS; i++) {
            Notes.put(store, Notes.id("a", i), "text");
            store.flush();
        }
    }

    private DocumentStore openWithoutMerges() throws IOException {
        var byHand = SETTINGS.withCompaction(SETTINGS.compaction().withAutomatic(false));
        return open(files, byHand, CLOCK);
    }

    /** Writes rows that fill more than five files of the journal. */
    private static void putSecrets(DocumentStore store) {
        for (int i = 0; i < 1_000; i++) {
            Notes.put(store, Notes.id("a", i), "secret".repeat(50));
        }
    }

    /** After one day without changes, no file of the journal contains removed and flushed data. */
    @Test
    void deletesReleasedFilesOfTheJournal() throws IOException {
        var clock = new SteppingClock();
        try (DocumentStore store = open(files, SETTINGS, clock)) {
            putSecrets(store);
            store.flush();
            store.flushOld();
            assertThat(files.list("journal")).hasSizeLessThanOrEqualTo(2 + 1);
            for (int look = 0; look < 4; look++) {
                clock.step(Duration.ofMinutes(61));
                store.flushOld();
            }

            assertThat(files.list("journal")).hasSize(1);
            assertThat(bytes("journal/" + files.list("journal").getFirst()).contains("secret"))
                    .as("what was removed lies in the journal")
                    .isFalse();
            Notes.put(store, Notes.id("a", 1), "new");
        }
        try (DocumentStore store = open()) {
            assertThat(Notes.seen(store, EVERYTHING)).hasSize(1_000);
            assertThat(Notes.text(store, Notes.id("a", 1))).isEqualTo("new");
        }
    }

    private String bytes(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
        }
    }

    /** Returns an id of another partition. */
    private static DocumentId other(DocumentId id) {
        int number = 0;
        while (Notes.PARTITIONS.of(Notes.plain(number).location())
                == Notes.PARTITIONS.of(id.location())) {
            number++;
        }
        return Notes.plain(number);
    }

    private static final class SteppingClock implements InstantSource {
        private volatile Instant now = Instant.ofEpochSecond(1_000);

        void step(Duration by) {
            now = now.plus(by);
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @Test
    void namesTheTypeThatIsMissing() throws IOException {
        try (DocumentStore store = open()) {
            Notes.put(store, Notes.id("a", 1), "text");
        }
        for (String name : files.list("schemas")) {
            files.delete("schemas/" + name);
        }

        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining("%016x".formatted(Notes.TYPE.fingerprint()));
    }

    @Test
    void namesAJournalRecordThatIsNoRow() throws IOException {
        open().close();
        try (SegmentedLog log =
                SegmentedLog.open(files, DocumentStore.JOURNAL, 1 << 20, 1, (_, _) -> {})) {
            log.begin();
            log.commit(List.of(JournalRecord.ofRow(0, new byte[3])));
        }
        var damage = new ArrayList<Damage>();

        StoredFiles.open(files, _ -> {}, damage::add)
                .scanJournal(
                        Notes.PARTITIONS.count(),
                        new JournalReport() {
                            @Override
                            public void segment(SegmentSummary segment) {}

                            @Override
                            public void damage(Damage reported) {
                                damage.add(reported);
                            }
                        });

        assertThat(damage).singleElement().asString().contains("a row has 3 bytes");
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessage(
                        "journal record 1 is not a row: a row has 3 bytes, expected at least 24");
    }

    @Test
    void namesAJournalRecordWithoutAnId() throws IOException {
        open().close();
        byte[] row =
                RowEncoding.encode(
                        new Row(Notes.id("a", 1), 1, Notes.TYPE.fingerprint(), true, Map.of()),
                        Notes.TYPE);
        Arrays.fill(row, row.length - Notes.id("a", 1).toString().length(), row.length, (byte) 'x');
        try (SegmentedLog log =
                SegmentedLog.open(files, DocumentStore.JOURNAL, 1 << 20, 1, (_, _) -> {})) {
            log.begin();
            log.commit(List.of(JournalRecord.ofRow(0, row)));
        }

        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageStartingWith("journal record 1 is not a row: ");
    }

    @Test
    void namesAStoredTypeThatCannotBeRead() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("CRABTYPE".getBytes(StandardCharsets.US_ASCII)).putInt(1).rewind();
        try (LogFiles.LogFile file = files.create("schemas/0000000000000001")) {
            file.write(bytes, 0);
        }

        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageStartingWith(
                        "schemas/0000000000000001 at byte 20: expected a document type: ");
    }

    @Test
    void rejectsADocumentAboveTheLimit() throws IOException {
        try (DocumentStore store = open()) {
            assertThat(Notes.put(store, Notes.id("a", 1), "x".repeat(SETTINGS.feed().rowBytes())))
                    .isInstanceOf(WriteReply.Rejected.class);
        }
    }

    @Test
    void waitsForAPosition() throws IOException {
        DocumentId id = Notes.id("a", 1);
        try (DocumentStore store = open()) {
            var reply = (WriteReply.Stored) Notes.put(store, id, "text");
            PartitionPosition reached = reply.position();
            var ahead = new PartitionPosition(reached.partition(), reached.position() + 1);

            assertThat(store.await(reached, Notes.soon())).isTrue();
            assertThat(store.await(ahead, Deadline.after(Duration.ZERO))).isFalse();
        }
    }

    /**
     * Readers and flushes run while one thread writes: each reader sees each document exactly once.
     */
    @Test
    void showsEveryDocumentOnceWhileItIsFlushed() throws Exception {
        int documents = 40;
        try (DocumentStore store = open();
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < documents; i++) {
                Notes.put(store, Notes.id("g" + i % 3, i), "0");
            }
            var done = new CountDownLatch(1);
            List<Future<Integer>> readers = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                readers.add(
                        threads.submit(() -> {
                            int reads = 0;
                            while (done.getCount() > 0) {
                                assertThat(Notes.seen(store, EVERYTHING)).hasSize(documents);
                                reads++;
                            }
                            return reads;
                        }));
            }
            for (int round = 1; round <= 60; round++) {
                for (int i = round % 3; i < documents; i += 3) {
                    Notes.put(store, Notes.id("g" + i % 3, i), "" + round);
                }
                store.flush();
            }
            done.countDown();

            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
        }
    }

    private static JournalSettings journal(int bytes) {
        return new JournalSettings(bytes, 64 << 10, 2, Duration.ofHours(1), 100, 1 << 20);
    }

    private DocumentStore open() throws IOException {
        return open(SETTINGS);
    }

    private DocumentStore open(RecentSettings settings) throws IOException {
        return open(files, settings);
    }

    private static DocumentStore open(LogFiles files, RecentSettings settings) throws IOException {
        return open(files, settings, CLOCK);
    }

    private static DocumentStore open(LogFiles files, RecentSettings settings, InstantSource clock)
            throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files, StoreOptions.of(Notes.PARTITIONS.count(), settings, clock));
        store.keep(Notes.TYPE, SearchedTexts.NONE);
        return store;
    }
}
