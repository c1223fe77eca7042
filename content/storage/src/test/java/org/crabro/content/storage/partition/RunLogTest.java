package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.ManifestLayout;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/03";
    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED, 2_000);

    @Test
    void showsEveryDocumentOnceAndAViewKeepsItsMoment() throws IOException {
        Map<DocumentId, Row> model = new HashMap<>();
        List<RunView> views = new ArrayList<>();
        List<Map<DocumentId, Row>> moments = new ArrayList<>();
        try (RunLog log = open()) {
            for (int flush = 0; flush < 8; flush++) {
                views.add(log.acquire());
                moments.add(Map.copyOf(model));
                add(log, random.rows(100 + 60 * flush, model), flush);
            }
            views.add(log.acquire());
            moments.add(Map.copyOf(model));

            for (int i = 0; i < views.size(); i++) {
                RunChecks.check(views.get(i), moments.get(i), "view " + i);
            }
        }
        views.forEach(RunView::close);

        try (RunLog log = open();
                RunView view = log.acquire()) {
            RunChecks.check(view, model, "opened anew");
            assertThat(view.runCount()).isEqualTo(8);
            assertThat(log.covered()).isEqualTo(7);
        }
    }

    @Test
    void letsRecentBlocksReplaceRowsOfRuns() throws IOException {
        Map<DocumentId, Row> model = new HashMap<>();
        try (RunLog log = open();
                Arena arena = Arena.ofConfined()) {
            for (int flush = 0; flush < 4; flush++) {
                add(log, random.rows(300, model), flush);
            }
            List<BlockSlice> recent = new ArrayList<>();
            random.rows(200, model)
                    .forEach((type, rows) -> {
                        EncodedBlock block =
                                BlockWriter.write(List.copyOf(rows.values()), type, arena);
                        recent.add(new BlockSlice(block, 0, block.rowCount(), tombstones(block)));
                    });

            try (RunView view = log.acquire()) {
                ReplacedRows replaced =
                        ReplacedRows.union(
                                recent.stream()
                                        .map(slice -> slice.block())
                                        .map(block -> view.replacedBy(block, new ReadContext()))
                                        .toList());
                for (KeyRange range : RunChecks.RANGES) {
                    for (String type : List.of("mail", "note")) {
                        List<BlockSlice> slices =
                                new ArrayList<>(view.slices(type, range, replaced));
                        for (BlockSlice slice : recent) {
                            if (slice.block().documentType().name().equals(type)) {
                                var block = slice.block();
                                slices.add(
                                        new BlockSlice(
                                                block,
                                                block.from(range),
                                                block.to(range),
                                                slice.dead()));
                            }
                        }
                        RunChecks.checkRows(slices, type, range, model, "with recent blocks");
                    }
                }
            }
        }
    }

    @Test
    void namesTheRowsThatARunReplacesOnce() throws IOException {
        DocumentId id = DocumentId.parse("id:a:note:g=g:1");
        try (RunLog log = open()) {
            for (int i = 0; i < 3; i++) {
                add(log, rows(random.put(id, RandomRows.NOTE)), i);
            }

            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("note", new KeyRange.Everything());

                assertThat(slices).hasSize(1);
                assertThat(slices.getFirst().liveCount()).isEqualTo(1);
                assertThat(view.documentCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void keepsTombstonesForGetsAndHidesThemFromScans() throws IOException {
        DocumentId id = DocumentId.parse("id:a:note:g=g:1");
        try (RunLog log = open()) {
            add(log, rows(random.put(id, RandomRows.NOTE)), 1);
            add(log, rows(random.remove(id, RandomRows.NOTE)), 2);

            try (RunView view = log.acquire()) {
                assertThat(view.newest(id)).map(Row::tombstone).contains(true);
                assertThat(view.slices("note", new KeyRange.Everything())).isEmpty();
            }

            add(log, rows(random.put(id, RandomRows.NOTE)), 3);
            try (RunView view = log.acquire()) {
                assertThat(view.newest(id)).map(Row::tombstone).contains(false);
                assertThat(view.slices("note", new KeyRange.Everything())).hasSize(1);
            }
        }
    }

    @Test
    void givesViewsToManyThreadsWhileRunsAreAdded() throws Exception {
        DocumentId id = DocumentId.parse("id:a:note:g=g:1");
        var isDone = new AtomicBoolean();
        try (RunLog log = open();
                ExecutorService readers = Executors.newFixedThreadPool(3)) {
            add(log, rows(random.put(id, RandomRows.NOTE)), 0);
            List<Future<Integer>> reads = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    reads.add(readers.submit(() -> readUntil(isDone, log, id)));
                }
                for (int i = 1; i <= 30; i++) {
                    add(log, rows(random.put(id, RandomRows.NOTE)), i);
                }
            } finally {
                isDone.set(true);
            }

            for (Future<Integer> read : reads) {
                assertThat(read.get()).isPositive();
            }
        }
    }

    /** Returns the number of views taken; each must have the document once. */
    private static int readUntil(AtomicBoolean isDone, RunLog log, DocumentId id) {
        int count = 0;
        do {
            try (RunView view = log.acquire()) {
                List<BlockSlice> slices = view.slices("note", new KeyRange.Group("g"));
                assertThat(slices).hasSize(1);
                assertThat(slices.getFirst().liveCount()).isEqualTo(1);
                assertThat(view.newest(id)).isPresent();
                count++;
            }
        } while (!isDone.get());
        return count;
    }

    @Test
    void readsAlignedColumnsFromAMappingOfTheDisk(@TempDir Path directory) throws IOException {
        Map<DocumentId, Row> model = new HashMap<>();
        try (var disk = new MappedLogFiles(directory)) {
            var checked = new LeakCheckedFiles(disk);
            try (RunLog log = RunLog.open(checked, DIRECTORY, RandomRows.TYPES)) {
                add(log, random.rows(900, model), 1);
                add(log, random.rows(100, model), 2);
            }

            try (RunLog log = RunLog.open(checked, DIRECTORY, RandomRows.TYPES);
                    RunView view = log.acquire()) {
                RunChecks.check(view, model, "on disk");
                for (BlockSlice slice : view.slices("mail", new KeyRange.Everything())) {
                    MemorySegment cells =
                            slice.block()
                                    .column("vector")
                                    .map(column -> ((Column.DenseTensors) column).cells())
                                    .orElseThrow();
                    int alignment = BlockLayout.alignment((int) cells.byteSize());
                    assertThat(cells.address() % alignment).isZero();
                }
            }
            checked.checkNothingIsLeft();
        }
    }

    @Test
    void notesAPositionWithoutAnyRow() throws IOException {
        try (RunLog log = open()) {
            log.add(_ -> {}, 41, 42, 43);
        }

        try (RunLog log = open();
                RunView view = log.acquire()) {
            assertThat(log.covered()).isEqualTo(41);
            assertThat(log.lastTimestamp()).isEqualTo(42);
            assertThat(view.runCount()).isZero();
            assertThat(files.list(DIRECTORY)).containsExactly("manifest.1", "manifest.2");
        }
    }

    @Test
    void leavesNothingOfARunThatCouldNotBeWritten() throws IOException {
        Row row = random.put(DocumentId.parse("id:a:note:g=g:1"), RandomRows.NOTE);
        try (RunLog log = open()) {
            assertThatIllegalStateException()
                    .isThrownBy(() ->
                            log.add(
                                    run -> {
                                        run.begin(RandomRows.NOTE);
                                        run.add(RowKey.of(row.id()), RandomRows.encoded(row));
                                        throw new IllegalStateException("stop");
                                    },
                                    1,
                                    1,
                                    1));

            assertThat(files.list(DIRECTORY)).containsExactly("manifest.1", "manifest.2");
            add(log, rows(row), 2);
            try (RunView view = log.acquire()) {
                assertThat(view.newest(row.id())).contains(row);
            }
        }
    }

    @Test
    void movesRunsThatTheManifestDoesNotName() throws IOException {
        try (RunLog log = open()) {
            add(log, rows(random.put(DocumentId.parse("id:a:note::1"), RandomRows.NOTE)), 1);
        }
        byte[] run = files.bytes(DIRECTORY + "/1.run");
        files.put(DIRECTORY + "/7.run", new byte[100]);

        open().close();

        assertThat(files.list(DIRECTORY)).containsExactly("1.run", "manifest.1", "manifest.2");
        assertThat(lost("leftovers")).containsOnly(entry("partitions-03-7.run", 100));

        files.put(DIRECTORY + "/7.run", withNumber(run, 7));
        open().close();

        assertThat(files.list(DIRECTORY)).containsExactly("1.run", "manifest.1", "manifest.2");
        assertThat(lost("kept")).containsOnly(entry("partitions-03-7.run", run.length));
    }

    @Test
    void movesEveryRunOnceHoweverOftenItsNameComesBack() throws IOException {
        for (int i = 0; i < 3; i++) {
            open().close();
            files.put(DIRECTORY + "/1.run", new byte[100 + i]);
        }
        open().close();

        assertThat(lost("leftovers").values()).containsExactlyInAnyOrder(100, 101, 102);
    }

    @Test
    void refusesAManifestThatNamesNothingWhereThereAreWholeRuns() throws IOException {
        try (RunLog log = open()) {
            add(log, rows(random.put(DocumentId.parse("id:a:note::1"), RandomRows.NOTE)), 1);
            add(log, rows(random.put(DocumentId.parse("id:a:note::2"), RandomRows.NOTE)), 2);
        }
        for (String copy : List.of("/manifest.1", "/manifest.2")) {
            byte[] whole = files.bytes(DIRECTORY + copy);
            files.put(DIRECTORY + copy, Arrays.copyOf(whole, ManifestLayout.HEADER_SIZE));
        }

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::open)
                .withMessageContaining(DIRECTORY + "/2.run")
                .withMessageContaining("crabro rebuild-manifest");
        assertThat(files.list(DIRECTORY))
                .containsExactly("1.run", "2.run", "manifest.1", "manifest.2");
    }

    /** Returns sizes by name, without the time at the start of the names. */
    private Map<String, Integer> lost(String kind) throws IOException {
        var sizes = new TreeMap<String, Integer>();
        String directory = LostFiles.DIRECTORY + "/" + kind;
        for (String name : files.list(directory)) {
            sizes.put(name.split("-", 2)[1], files.bytes(directory + "/" + name).length);
        }
        return sizes;
    }

    private static byte[] withNumber(byte[] run, long number) {
        byte[] other = run.clone();
        MemorySegment bytes = MemorySegment.ofArray(other);
        bytes.set(BlockLayout.LONG, RunLayout.NUMBER_OFFSET, number);
        int crc = BlockLayout.crc(bytes.asSlice(0, RunLayout.HEADER_CRC_OFFSET));
        bytes.set(BlockLayout.INT, RunLayout.HEADER_CRC_OFFSET, crc);
        return other;
    }

    @Test
    void touchesNoBlockOfARunThatDoesNotHaveADocument() throws IOException {
        Row there = random.put(DocumentId.parse("id:a:note:g=g:1"), RandomRows.NOTE);
        Row other = random.put(DocumentId.parse("id:a:note:g=g:2"), RandomRows.NOTE);
        try (RunLog log = open()) {
            add(log, rows(there), 1);
        }
        files.flip(DIRECTORY + "/1.run", RunLayout.HEADER_SIZE, 1);

        try (RunLog log = open()) {
            add(log, rows(other), 2);
            try (RunView view = log.acquire()) {
                assertThat(view.newest(other.id())).contains(other);
                assertThat(view.newest(DocumentId.parse("id:a:note:g=g:3"))).isEmpty();
                assertThatExceptionOfType(CorruptRunException.class)
                        .isThrownBy(() -> view.newest(there.id()));
            }
        }
    }

    @Test
    void unmapsWhenTheLastViewIsClosed() throws IOException {
        RunLog log = open();
        add(log, rows(random.put(DocumentId.parse("id:a:note::1"), RandomRows.NOTE)), 1);
        RunView view = log.acquire();

        log.close();

        assertThat(files.mappedFiles()).containsExactly(DIRECTORY + "/1.run");
        assertThat(view.slices("note", new KeyRange.Everything())).hasSize(1);
        view.close();
        view.close();
        assertThat(files.mappedFiles()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> view.slices("note", new KeyRange.Everything()));
        assertThatIllegalStateException().isThrownBy(log::acquire);
    }

    private RunLog open() throws IOException {
        return RunLog.open(files, DIRECTORY, RandomRows.TYPES);
    }

    private static void add(
            RunLog log, Map<DocumentType, SortedMap<RowKey, Row>> rows, long covered)
            throws IOException {
        log.add(RandomRows.contents(rows), covered, covered, covered);
    }

    private static Map<DocumentType, SortedMap<RowKey, Row>> rows(Row row) {
        var rows = new TreeMap<RowKey, Row>();
        rows.put(RowKey.of(row.id()), row);
        return Map.of(RandomRows.NOTE, rows);
    }

    private static DeadRows tombstones(EncodedBlock block) {
        var rows = new ArrayList<Integer>();
        for (int row = 0; row < block.rowCount(); row++) {
            if (block.isTombstone(row)) {
                rows.add(row);
            }
        }
        return DeadRows.of(rows.stream().mapToInt(Integer::intValue).toArray());
    }
}
