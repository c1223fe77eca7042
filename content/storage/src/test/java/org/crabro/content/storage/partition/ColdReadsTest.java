package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.content.storage.read.SliceReads;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.wire.Deadline;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Reads of files without pages in memory: which bytes are read, and how many. */
class ColdReadsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[384])");
    private static final DocumentType ITEM =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("id", FieldType.Primitive.INT, true),
                            new Field("embedding", new FieldType.TensorOf(VECTOR), true)));
    private static final StoredTypes TYPES =
            fingerprint ->
                    fingerprint == ITEM.fingerprint()
                            ? Optional.of(ITEM)
                            : RandomRows.TYPES.type(fingerprint);

    private static final BlockProjection EMBEDDING =
            new BlockProjection(Set.of("embedding"), Set.of("embedding"), Set.of(), false, false);

    private static final Deadline SOON = Deadline.after(Duration.ofMinutes(1));

    private static final int LARGE = 256 << 10;

    private final ColdFiles files = new ColdFiles(new MemoryLogFiles());

    @Test
    void touchesNothingThatWasNotAskedFor() throws IOException {
        var random = new RandomRows(SEED, 3_000);
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            var rows = new TreeMap<RowKey, Row>();
            for (int i = 0; i < 3_000; i++) {
                DocumentId id = random.id(RandomRows.MAIL, 3_000);
                rows.put(RowKey.of(id), random.put(id, RandomRows.MAIL));
            }
            add(log, RandomRows.MAIL, List.copyOf(rows.values()));
            for (String group : List.of("user0", "user1", "user2", "nobody")) {
                files.evict();
                var expected = new HashMap<DocumentId, Row>();
                rows.forEach((key, row) -> {
                    if (row.id().toString().contains(":g=" + group + ":")) {
                        expected.put(row.id(), row);
                    }
                });
                try (RunView view = log.acquire()) {
                    assertThat(rows(view, new KeyRange.Group(group)))
                            .as("%s, seed %d", group, SEED)
                            .isEqualTo(expected);
                }
            }
            for (Row row : rows.values().stream().limit(20).toList()) {
                files.evict();
                try (RunView view = log.acquire()) {
                    assertThat(view.newest(row.id())).as("seed %d", SEED).contains(row);
                }
            }
        }
    }

    private static Map<DocumentId, Row> rows(RunView view, KeyRange range) {
        var rows = new HashMap<DocumentId, Row>();
        for (BlockSlice slice : view.slices("mail", range)) {
            for (int i = slice.from(); i < slice.to(); i++) {
                Row row = slice.block().row(i);
                rows.put(row.id(), row);
            }
        }
        return rows;
    }

    @Test
    void readsFourTimesAndLittleForAGroupOfFive() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(600, 5));
            for (int group : new int[] {0, 77, 300, 599}) {
                files.evict();

                long bytes = scan(log, group, 5);

                assertThat(files.reads()).as("group %d", group).isLessThanOrEqualTo(4);
                assertThat(files.loadedBytes()).as("group %d", group).isLessThanOrEqualTo(64 << 10);
                assertThat(bytes).isEqualTo(files.loadedBytes());
            }
        }
    }

    /** Recently opened blocks are cached with their headers. */
    @Test
    void readsNoHeadersOfALargeGroupASecondTime() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(3, 4_000));
            files.evict();
            long first = scan(log, 1, 4_000);
            files.evict();

            long second = scan(log, 1, 4_000);

            assertThat(second).isEqualTo(files.loadedBytes()).isLessThan(first);
        }
    }

    /** The sizes of a block's chunks are estimated from the block that was opened first. */
    @Test
    void readsASmallGroupAtOnceWhereNearlyAllIsWanted() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(20, 100));
            scan(log, 1, 100, EMBEDDING);
            files.evict();

            try (RunView view = log.acquire()) {
                var reads = new ReadContext(EMBEDDING);
                view.slices("item", new KeyRange.Group("g7"), reads);

                assertThat(reads.deviceBytes()).isBetween(100 * 768L, 100 * 768L * 5 / 4);
            }
            files.evict();
            scan(log, 13, 100, EMBEDDING);
            assertThat(files.reads()).isEqualTo(1);
        }
    }

    @Test
    void readsNothingOfASmallGroupThatIsNotWanted() throws IOException {
        var ids = new BlockProjection(Set.of("id"), Set.of(), Set.of(), false, true);
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(20, 100));
            scan(log, 1, 100, EMBEDDING);
            files.evict();

            try (RunView view = log.acquire()) {
                view.slices("item", new KeyRange.Group("g7"), new ReadContext(ids));

                assertThat(files.loadedBytes()).isEqualTo(4 << 10);
            }
        }
    }

    @Test
    void reportsUnreadableBytesOfASmallGroup() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 100));
            scan(log, 0, 100, EMBEDDING);
            files.evict();
            files.breakFrom(DIRECTORY + "/1.run", 48 << 10);
            try (RunView view = log.acquire()) {
                var reads = new ReadContext(EMBEDDING);
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"), reads);

                assertThat(slices).hasSize(1);
                assertThat(reads.setAside()).isEmpty();
                try (SliceReads pass =
                        new ReadAhead(Runnable::run, 1)
                                .begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                    assertThatExceptionOfType(CorruptRunException.class)
                            .isThrownBy(() -> pass.take(0));
                }
            }
        }
    }

    @Test
    void readsLittleMoreThanTheColumnOfALargeGroup() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(3, 10_000));
            files.evict();

            scan(log, 1, 10_000);

            assertThat(files.loadedBytes()).isLessThan(10_000 * 768 * 105 / 100);
        }
    }

    /** Headers are in memory by then, and are read again with their neighbours. */
    @Test
    void readsALargeGroupInLargePages() throws IOException {
        var large = new ColdFiles(new MemoryLogFiles(), LARGE);
        try (RunLog log = RunLog.open(large, DIRECTORY, TYPES)) {
            add(log, ITEM, items(3, 10_000));
            for (int threads = 1; threads <= 3; threads++) {
                large.evict();
                long told;
                try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
                    told = scan(log, 1, 10_000, EMBEDDING, pool);
                }

                // All of the group except its ends, which it shares with other groups.
                assertThat(large.largeReads())
                        .doesNotHaveDuplicates()
                        .hasSizeGreaterThan(10_000 * 768 / LARGE - 3);
                assertThat(told).isLessThan(10_000 * 768 * 105 / 100);
                assertThat(large.loadedBytes()).isLessThanOrEqualTo(told);
            }
        }
    }

    @Test
    void readsWhatIsThereForTheMostPartAsItIs() throws IOException {
        var large = new ColdFiles(new MemoryLogFiles(), LARGE);
        try (RunLog log = RunLog.open(large, DIRECTORY, TYPES)) {
            add(log, ITEM, items(3, 10_000));
            large.evict();
            scan(log, 1, 10_000, EMBEDDING, Runnable::run);
            int reads = large.largeReads().size();

            long again = scan(log, 1, 10_000, EMBEDDING, Runnable::run);

            assertThat(again).isZero();
            assertThat(large.largeReads()).hasSize(reads);
        }
    }

    @Test
    void readsNoLargePagesOfWhatIsWantedInPart() throws IOException {
        var large = new ColdFiles(new MemoryLogFiles(), LARGE);
        var ids = new BlockProjection(Set.of("id"), Set.of(), Set.of(), false, false);
        try (RunLog log = RunLog.open(large, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 10_000));
            large.evict();
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"));
                try (SliceReads pass =
                        new ReadAhead(Runnable::run, 1).begin(slices, ReadPlan.of(ids), SOON)) {
                    for (int i = 0; i < slices.size(); i++) {
                        pass.take(i);
                    }
                }
            }

            assertThat(large.largeReads()).isEmpty();
        }
    }

    @Test
    void reportsTheUnreadablePartOfALargePage() throws IOException {
        var large = new ColdFiles(new MemoryLogFiles(), LARGE);
        try (RunLog log = RunLog.open(large, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 10_000));
            large.evict();
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"));
                large.breakFrom(DIRECTORY + "/1.run", 4 << 20);
                int unread = 0;
                try (SliceReads pass =
                        new ReadAhead(Runnable::run, 1)
                                .begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                    for (int i = 0; i < slices.size(); i++) {
                        try {
                            pass.take(i);
                            assertThat(slices.get(i).block().column("embedding")).isPresent();
                        } catch (CorruptRunException e) {
                            assertThat(e.offset()).isGreaterThan(3 << 20);
                            unread++;
                        }
                    }
                }

                // Blocks before that page are read one by one if it also had bytes of other groups.
                assertThat(unread).isBetween(slices.size() / 3, slices.size() * 2 / 3);
            }
        }
    }

    /** The group has more than ten blocks; its removal reads only those at its ends. */
    @Test
    void readsLittleToRemoveALargeGroupAndNothingOfItAfterwards() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(3, 10_000));
            files.evict();

            var removed = new GroupTombstone("item", new LocationKey.Group("g1"), 20_000);
            log.add(run -> run.remove(removed), 2, 20_000, 2);

            assertThat(files.loadedBytes()).isLessThan(64 << 10);
            files.evict();
            long bytes = scan(log, 1, 0);
            // The previous block may have had the first rows of the group.
            assertThat(bytes).isLessThanOrEqualTo(8 << 10);
            scan(log, 0, 10_000);
            scan(log, 2, 10_000);
        }
    }

    @Test
    void asksForSoMuchAheadAndNoMore() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 20_000));
            files.evict();
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"));
                long before = files.loadedBytes();
                try (SliceReads pass =
                        new ReadAhead(Runnable::run, 1)
                                .begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                    pass.take(0);
                    long first = files.loadedBytes() - before;
                    pass.take(1);
                    long second = files.loadedBytes() - before - first;

                    assertThat(first)
                            .isBetween(ReadAhead.BYTES_AHEAD, ReadAhead.BYTES_AHEAD + (1L << 20));
                    assertThat(second).isBetween(1L, 1L << 20);
                }
            }
        }
    }

    @Test
    void readsNothingMoreOnceAPassIsOver() throws IOException {
        var waiting = new ArrayList<Runnable>();
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 5_000));
            files.evict();
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"));
                long before = files.loadedBytes();
                var ahead = new ReadAhead(waiting::add, 1);
                try (SliceReads pass = ahead.begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                    pass.take(0);
                }
                waiting.forEach(Runnable::run);

                assertThat(waiting).hasSizeGreaterThan(1);
                assertThat(files.loadedBytes() - before).isLessThan(1 << 20);
            }
        }
    }

    @Test
    void readsItselfWhatNobodyHasBegun() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            add(log, ITEM, items(1, 5_000));
            files.evict();
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g0"));
                try (SliceReads pass =
                        new ReadAhead(_ -> {}, 1).begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                    for (int i = 0; i < slices.size(); i++) {
                        pass.take(i);
                    }
                }

                assertThat(files.loadedBytes()).isGreaterThan(5_000 * 768);
            }
        }
    }

    /** Reads the vectors and the ids of a group, as a query does, and returns the bytes read. */
    private static long scan(RunLog log, int group, int documents) {
        return scan(log, group, documents, BlockProjection.NONE);
    }

    /**
     * @param named the parts that are known in advance
     */
    private static long scan(RunLog log, int group, int documents, BlockProjection named) {
        return scan(log, group, documents, named, Runnable::run);
    }

    /**
     * @param threads for reading ahead
     */
    private static long scan(
            RunLog log, int group, int documents, BlockProjection named, Executor threads) {
        var reads = new ReadContext(named);
        var ahead = new ReadAhead(threads, 1);
        try (RunView view = log.acquire()) {
            List<BlockSlice> slices = view.slices("item", new KeyRange.Group("g" + group), reads);
            int count = 0;
            var values = new ColumnValues();
            try (SliceReads pass = ahead.begin(slices, ReadPlan.of(EMBEDDING), SOON)) {
                for (int i = 0; i < slices.size(); i++) {
                    pass.take(i);
                    BlockSlice slice = slices.get(i);
                    Column column = slice.block().column("embedding").orElseThrow();
                    for (int row = slice.from(); row < slice.to(); row++) {
                        assertThat(values.value(column, row))
                                .contains(new FieldValue.TensorValue(vector(group)));
                        count++;
                    }
                }
            }
            assertThat(count).isEqualTo(documents);
            if (documents < 10) {
                for (BlockSlice slice : slices) {
                    for (int row = slice.from(); row < slice.to(); row++) {
                        EncodedBlock block = slice.block().only(row, row + 1);
                        assertThat(block.id(row).toString()).contains(":g=g" + group + ":");
                        assertThat(block.column("id")).isPresent();
                    }
                }
            }
        }
        return reads.deviceBytes();
    }

    private static DenseTensor vector(int group) {
        // Rows are not in the order of their names, so all rows of a group have the same vector.
        var cells = new double[384];
        cells[group % 384] = group + 1;
        return DenseTensor.of(VECTOR, cells);
    }

    private static List<Row> items(int groups, int perGroup) {
        var rows = new TreeMap<RowKey, Row>();
        for (int group = 0; group < groups; group++) {
            for (int i = 0; i < perGroup; i++) {
                DocumentId id = DocumentId.parse("id:perf:item:g=g" + group + ":" + i);
                Map<String, FieldValue> fields =
                        Map.of(
                                "id",
                                new FieldValue.IntValue(i),
                                "embedding",
                                new FieldValue.TensorValue(vector(group)));
                rows.put(RowKey.of(id), new Row(id, 1 + i, ITEM.fingerprint(), false, fields));
            }
        }
        return List.copyOf(rows.values());
    }

    private static void add(RunLog log, DocumentType type, List<Row> rows) throws IOException {
        log.add(
                run -> {
                    run.begin(type);
                    for (Row row : rows) {
                        byte[] bytes = RowEncoding.encode(row, type);
                        run.add(RowKey.of(row.id()), MemorySegment.ofArray(bytes));
                    }
                },
                1,
                1,
                1);
    }
}
