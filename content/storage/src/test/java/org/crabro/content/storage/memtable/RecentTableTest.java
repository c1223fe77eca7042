package org.crabro.content.storage.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.dead.RecentRemovedGroups;
import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.SearchedTypes;
import org.crabro.content.storage.store.Notes;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.text.Folding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecentTableTest {
    private static final long FINGERPRINT = Notes.TYPE.fingerprint();
    private static final RecentScope GROUP = scope(new KeyRange.Group("a"));
    private static final RecentScope EVERYTHING = scope(new KeyRange.Everything());

    private final RecentBudget budget = new RecentBudget(1L << 30);
    private final SearchedTypes types =
            new SearchedTypes(_ -> Optional.of(Notes.TYPE), SearchedTexts.NONE);

    private final RecentTable table = new RecentTable(Optional.empty(), budget, types);
    private final Map<DocumentId, Integer> newest = new HashMap<>();

    @AfterEach
    void close() {
        table.release();
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void sealsWhatCanBecomeNoMoreAndKeepsItsBlock() {
        addTo(RecentBlock.ROWS_MAX + 10);
        RecentBlocks.Moment first = table.moment(GROUP).orElseThrow();
        addTo(RecentBlock.ROWS_MAX + 11);
        RecentBlocks.Moment second = table.moment(GROUP).orElseThrow();

        assertThat(first.blocks()).hasSize(2);
        assertThat(second.blocks().getFirst()).isSameAs(first.blocks().getFirst());
        assertThat(second.blocks().getLast()).isNotSameAs(first.blocks().getLast());

        first.release();
        second.release();
    }

    @Test
    void keepsTheTailUntilTheNextRowOfTheGroup() {
        addTo(5);
        RecentBlocks.Moment first = table.moment(GROUP).orElseThrow();
        add(Notes.id("b", 1), 1, 0);
        RecentBlocks.Moment second = table.moment(GROUP).orElseThrow();

        assertThat(second.blocks().getFirst()).isSameAs(first.blocks().getFirst());

        first.release();
        second.release();
    }

    @Test
    void countsWhatReadersMadeOfTheRows() {
        addTo(2_000);
        long rows = table.bytes();

        RecentBlocks.Moment moment = table.moment(EVERYTHING).orElseThrow();
        long withBlocks = table.bytes();
        moment.release();

        assertThat(withBlocks).isGreaterThan(rows + 2_000 * 20).isEqualTo(budget.bytes());
    }

    @Test
    void keepsTheWordsOfBlocksFromTheFirstQueryOnThatAsksForThem() {
        types.search(new SearchedTexts(Map.of("text", Folding.ACCENTS)));
        addTo(RecentBlock.ROWS_MAX + 10);
        RecentBlocks.Moment moment = table.moment(GROUP).orElseThrow();
        EncodedBlock sealed = block(moment, 0);
        EncodedBlock tail = block(moment, 1);
        long before = table.bytes();

        long words = wordBytes(sealed);
        long tailWords = wordBytes(tail);
        assertThat(table.bytes()).isEqualTo(before + words + tailWords).isEqualTo(budget.bytes());

        RecentBlocks.Moment next = table.moment(GROUP).orElseThrow();
        assertThat(wordBytes(block(next, 0))).isEqualTo(words);
        assertThat(wordBytes(block(next, 1))).isEqualTo(tailWords);
        assertThat(table.bytes()).as("asked for again").isEqualTo(before + words + tailWords);
        moment.release();
        next.release();
    }

    private static long wordBytes(EncodedBlock block) {
        return block.tokenDictionary("text").orElseThrow().byteSize()
                + block.tokenNumbers("text").orElseThrow().byteSize();
    }

    @Test
    void convertsFewRowsOfTheTailAgain() {
        addTo(64 + 32);
        List<RecentBlock> first = blocksNow();
        addTo(64 + 33);
        List<RecentBlock> second = blocksNow();
        addTo(256 + 128 + 10);
        List<RecentBlock> third = blocksNow();
        addTo(256 + 128 + 63);
        List<RecentBlock> fourth = blocksNow();

        assertThat(first).hasSize(2);
        assertThat(second).hasSize(2);
        assertThat(second.getFirst()).isSameAs(first.getFirst());
        assertThat(second.getLast()).isNotSameAs(first.getLast());
        assertThat(third).hasSize(3);
        assertThat(fourth.subList(0, 2)).isEqualTo(third.subList(0, 2));
        assertThat(seen(GROUP)).isEqualTo(newest);
    }

    private List<RecentBlock> blocksNow() {
        RecentBlocks.Moment moment = table.moment(GROUP).orElseThrow();
        moment.release();
        return moment.blocks();
    }

    private EncodedBlock block(RecentBlocks.Moment moment, int index) {
        return moment.blocks()
                .get(index)
                .slice(moment.end(), 0, RecentRemovedGroups.NONE, RemovedGroups.NONE)
                .block();
    }

    /** The cost of a row in addition to its own bytes, in groups of five. */
    @Test
    void aSmallRowCostsLittleMoreThanItsBytes() {
        long bytes = 0;
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            bytes += add(Notes.id("group" + i / 5, i), i, 0);
        }

        double each = (double) (table.bytes() - bytes) / count;

        assertThat(each).as("bytes besides its own").isBetween(12.0, 48.0);
        assertThat(table.documentCount()).isEqualTo(count);
    }

    /** Rows of one call may replace each other, and remove each other's group. */
    @Test
    void rowsOfACallAreAddedOneAfterAnother() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int call = 0, version = 0; call < 200; call++) {
            List<byte[]> rows = new ArrayList<>();
            int count = random.nextInt(1, 40);
            for (int i = 0; i < count; i++) {
                version++;
                String group = "group" + random.nextInt(50);
                rows.add(
                        random.nextInt(50) == 0
                                ? groupTombstone(group, version)
                                : row(Notes.id(group, random.nextInt(20)), version, 1));
            }
            table.add(rows);
        }

        assertThat(seen(EVERYTHING)).as("seed %d", seed).isEqualTo(newest);
        newest.forEach((id, version) ->
                assertThat(table.find(id).map(RowEncoding::timestamp)).contains((long) version));
    }

    @Test
    void keepsRowsThatAreLargerThanAChunk() {
        int[] lengths = {1, RecentRows.CHUNK_BYTES_MAX, 30, 3 << 20, 2, RecentRows.CHUNK_BYTES_MIN};
        for (int i = 0; i < lengths.length; i++) {
            add(Notes.id("a", i), i, lengths[i]);
        }

        assertThat(seen(GROUP)).isEqualTo(newest);
        assertThat(seen(EVERYTHING)).isEqualTo(newest);
        newest.forEach((id, version) ->
                assertThat(table.find(id).map(RowEncoding::timestamp)).contains((long) version));
    }

    /** Old bytes in reused memory are never read as a row. */
    @Test
    void memoryThatWasUsedBeforeIsUsedAgain() {
        var other = new RecentTable(Optional.empty(), budget, types);
        for (int i = 0; i < 8_000; i++) {
            other.add(List.of(row(Notes.id("a", i), i, 1_000 + i % 50)));
        }
        newest.clear();
        other.release();

        for (int i = 0; i < 12_000; i++) {
            add(Notes.id("a", i), i, 500 + i % 700);
        }

        assertThat(seen(EVERYTHING)).isEqualTo(newest);
        assertThat(seen(GROUP)).isEqualTo(newest);
    }

    /** Chunks end with any rest: 0 bytes, less than a header, or more. */
    @Test
    void findsTheNextChunkWhereverOneEnds() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);

        for (int i = 0; i < 5_000; i++) {
            add(Notes.id("a", i), i, random.nextInt(200));
        }

        assertThat(seen(EVERYTHING)).as("seed %d", seed).isEqualTo(newest);
    }

    @Test
    void keepsNamespacesTypesAndNumbersApart() {
        for (String text :
                List.of(
                        "id:one:note:g=a:1",
                        "id:longer:note:g=a:1",
                        "id:one:note:g=a::1",
                        "id:one:note:g=ab:1",
                        "id:one:note:n=1:1",
                        "id:one:note::g=a:1")) {
            add(DocumentId.parse(text), newest.size(), 0);
        }

        assertThat(seen(GROUP)).hasSize(3);
        assertThat(seen(scope(new KeyRange.Group("ab")))).hasSize(1);
        assertThat(seen(scope(new KeyRange.Numbered(1)))).hasSize(1);
        assertThat(seen(EVERYTHING)).isEqualTo(newest);
        assertThat(table.moment(scope(new KeyRange.Group("b")))).isEmpty();
    }

    /** Every moment shows the rows that were newest when it was taken, regardless of later rows. */
    @Test
    void everyMomentStaysAsItWas() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        List<RecentBlocks.Moment> moments = new ArrayList<>();
        List<Map<DocumentId, Integer>> expected = new ArrayList<>();
        for (int version = 0; version < 5_000; version++) {
            if (random.nextInt(1_000) == 0) {
                removeGroup(random.nextBoolean() ? "a" : "b", version);
            }
            add(Notes.id(random.nextBoolean() ? "a" : "b", random.nextInt(700)), version, 0);
            if (random.nextInt(250) == 0) {
                moments.add(table.moment(EVERYTHING).orElseThrow());
                expected.add(Map.copyOf(newest));
                table.moment(GROUP)
                        .ifPresent(moment -> {
                            moments.add(moment);
                            var ofGroup = new HashMap<>(newest);
                            ofGroup.keySet().removeIf(id -> !id.toString().contains("g=a"));
                            expected.add(ofGroup);
                        });
            }
        }

        for (int i = 0; i < moments.size(); i++) {
            assertThat(seen(moments.get(i)))
                    .as("moment %d, seed %d", i, seed)
                    .isEqualTo(expected.get(i));
            moments.get(i).release();
        }
        assertThat(table.documentCount()).isEqualTo(newest.size());
    }

    @Test
    void removesAGroupWithoutTouchingItsRows() {
        addTo(RecentBlock.ROWS_MAX + 10);
        add(DocumentId.parse("id:other:note:g=a:1"), 1, 0);
        DocumentId other = Notes.id("ab", 1);
        add(other, 1, 0);
        RecentBlocks.Moment before = table.moment(GROUP).orElseThrow();
        RecentBlocks.Moment allBefore = table.moment(EVERYTHING).orElseThrow();
        Map<DocumentId, Integer> seenBefore = Map.copyOf(newest);
        long bytes = table.bytes();

        removeGroup("a", 2_000);

        assertThat(table.bytes() - bytes).isLessThan(1_000);
        assertThat(seen(GROUP)).isEmpty();
        assertThat(seen(EVERYTHING)).isEqualTo(Map.of(other, 1)).isEqualTo(newest);
        assertThat(table.documentCount()).isEqualTo(1);
        assertThat(table.tombstoneCount()).isEqualTo(1);
        assertThat(table.find(Notes.id("a", 1)).map(RowEncoding::isGroupTombstone)).contains(true);
        assertThat(table.find(Notes.id("a", 99_999))).isPresent();
        assertThat(seen(allBefore)).isEqualTo(seenBefore);
        seenBefore = new HashMap<>(seenBefore);
        seenBefore.remove(other);
        assertThat(seen(before)).isEqualTo(seenBefore);
        before.release();
        allBefore.release();
    }

    @Test
    void keepsWhatIsAddedToAGroupAfterItWasRemoved() {
        addTo(5);
        removeGroup("a", 10);
        add(Notes.id("a", 1), 11, 0);
        removeGroup("b", 12);
        add(Notes.id("a", 7), 13, 0);

        assertThat(seen(GROUP)).isEqualTo(newest).hasSize(2);
        assertThat(seen(EVERYTHING)).isEqualTo(newest);
        assertThat(table.documentCount()).isEqualTo(2);
        assertThat(table.find(Notes.id("a", 1)).map(RowEncoding::timestamp)).contains(11L);
        assertThat(table.find(Notes.id("a", 2)).map(RowEncoding::timestamp)).contains(10L);
    }

    /** For any timing of reads and new rows. */
    @Test
    void readersSeeEveryDocumentOnceWhileRowsAreAdded()
            throws ExecutionException, InterruptedException {
        int documents = 300;
        for (int i = 0; i < documents; i++) {
            add(Notes.id("a", i), 0, 0);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> readers = new ArrayList<>();
            for (RecentScope scope : List.of(GROUP, EVERYTHING)) {
                readers.add(
                        threads.submit(() -> {
                            for (int read = 0; read < 3_000; read++) {
                                assertThat(liveCount(scope)).isEqualTo(documents);
                            }
                        }));
            }
            var random = new Random(1);
            for (int version = 1;
                    version <= 200_000 && !readers.stream().allMatch(Future::isDone);
                    version++) {
                add(Notes.id("a", version % documents), version, 0);
                for (int spin = random.nextInt(1_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
        assertThat(seen(GROUP)).isEqualTo(newest);
    }

    private int liveCount(RecentScope scope) {
        RecentBlocks.Moment moment = table.moment(scope).orElseThrow();
        try {
            int count = 0;
            for (RecentBlock block : moment.blocks()) {
                count += slice(moment, block).liveCount();
            }
            return count;
        } finally {
            moment.release();
        }
    }

    private static RecentScope scope(KeyRange range) {
        return new RecentScope("note", range);
    }

    private Map<DocumentId, Integer> seen(RecentScope scope) {
        RecentBlocks.Moment moment = table.moment(scope).orElseThrow();
        try {
            return seen(moment);
        } finally {
            moment.release();
        }
    }

    private BlockSlice slice(RecentBlocks.Moment moment, RecentBlock block) {
        RecentRemovedGroups removed = table.removals("note", moment.end());
        return block.slice(moment.end(), 0, removed, RemovedGroups.NONE);
    }

    private Map<DocumentId, Integer> seen(RecentBlocks.Moment moment) {
        Map<DocumentId, Integer> seen = new HashMap<>();
        for (RecentBlock block : moment.blocks()) {
            BlockSlice slice = slice(moment, block);
            for (int row = slice.from(); row < slice.to(); row++) {
                if (!slice.dead().has(row)) {
                    DocumentId id = slice.block().id(row);
                    Integer before = seen.put(id, (int) slice.block().timestamp(row));
                    assertThat(before).as("%s is seen twice", id).isNull();
                }
            }
        }
        return seen;
    }

    private void addTo(int count) {
        for (int i = newest.size(); i < count; i++) {
            add(Notes.id("a", i), i, 0);
        }
    }

    private void removeGroup(String group, int version) {
        table.add(List.of(groupTombstone(group, version)));
    }

    /** Returns a row to be added next. */
    private byte[] groupTombstone(String group, int version) {
        byte[] row = RowEncoding.groupTombstone(Notes.TYPE, new LocationKey.Group(group));
        RowEncoding.stamp(row, version);
        newest.keySet().removeIf(id -> id.key().equals(new LocationKey.Group(group)));
        return row;
    }

    private int add(DocumentId id, int version, int length) {
        byte[] bytes = row(id, version, length);
        table.add(List.of(bytes));
        return bytes.length;
    }

    /** Returns a row to be added next. */
    private byte[] row(DocumentId id, int version, int length) {
        var row =
                new Row(
                        id,
                        version,
                        FINGERPRINT,
                        false,
                        Map.of("text", new FieldValue.StringValue("x".repeat(length))));
        newest.put(id, version);
        return RowEncoding.encode(row, Notes.TYPE);
    }
}
