package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.HiddenRows;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flips bytes of the metadata of runs. The log opens; the visible rows are correct, and the others
 * are counted as missing.
 */
class LostPartsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final int ROWS = 16;
    private static final int DOCUMENTS = 4;
    private static final int ROUNDS = 7;

    /** One byte of this many is flipped. */
    private static final int STEP = 5;

    private static final CompactionSettings MERGING =
            new CompactionSettings(
                    false, 2, 8, 6_000, 1 << 20, Duration.ofDays(1), Duration.ofDays(1));

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED, 20);
    private final Map<DocumentId, Row> model = new HashMap<>();
    private final Set<DocumentId> written = new HashSet<>();

    @BeforeEach
    void writeRuns() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            for (int i = 1; i <= 3; i++) {
                add(log, i);
            }
        }
    }

    private void add(RunLog log, int number) throws IOException {
        boolean removes = number > 1 && (number <= 3 || random.random().nextInt(3) == 0);
        List<GroupTombstone> removals = random.removals(removes ? 4 : 0, model);
        var rows = random.rows(ROWS, DOCUMENTS, model);
        rows.values().forEach(all -> all.values().forEach(row -> written.add(row.id())));
        log.add(RandomRows.contents(removals, rows), number, number, number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void showsNothingWrongWhicheverByteIsFlipped(int number) throws IOException {
        String run = DIRECTORY + "/" + number + ".run";
        byte[] whole = files.bytes(run);
        int lossy = 0;

        for (int offset : describing(whole)) {
            if (offset % STEP != 0) {
                continue;
            }
            files.flip(run, offset, 1 << (offset % 8));
            String what = "byte %d of run %d, seed %d".formatted(offset, number, SEED);
            try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES);
                    RunView view = log.acquire()) {
                boolean isAll = check(view, what);
                if (!isAll) {
                    lossy++;
                    assertThat(log.setAside())
                            .as(what)
                            .isNotEmpty()
                            .allMatch(damage -> damage.file().equals(run));
                }
            }
            files.flip(run, offset, 1 << (offset % 8));
        }

        assertThat(lossy).isGreaterThan((RunLayout.FOOTER_SIZE - 40) / STEP);
        assertThat(files.bytes(run)).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void showsNothingWrongWhereverTheFileIsCutOffOrEmptied(int number) throws IOException {
        String run = DIRECTORY + "/" + number + ".run";
        byte[] whole = files.bytes(run);

        for (int length = 0; length < whole.length; length += 149) {
            byte[] cut = Arrays.copyOf(whole, length);
            byte[] emptied = whole.clone();
            int footer = whole.length - RunLayout.FOOTER_SIZE;
            Arrays.fill(emptied, Math.min(length, footer - 1), footer, (byte) 0);
            for (byte[] bytes : List.of(cut, Arrays.copyOf(cut, whole.length), emptied)) {
                files.put(run, bytes);
                try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES);
                        RunView view = log.acquire()) {
                    String what =
                            "%d of %d bytes of run %d".formatted(length, bytes.length, number);
                    boolean isAll = check(view, what);
                    assertThat(isAll && bytes.length < whole.length).as(what).isFalse();
                    assertThat(isAll || !log.setAside().isEmpty()).as(what).isTrue();
                }
            }
        }
    }

    /** Writes and merges continue, and no row is lost permanently: the file is restored later. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void showsEverythingAgainWhenTheFileIsPutBack(int number) throws IOException {
        String run = DIRECTORY + "/" + number + ".run";
        int next = 4;
        int setAside = 0;
        while (setAside < ROUNDS) {
            List<Integer> offsets = describing(files.bytes(run));
            int offset = offsets.get(random.random().nextInt(offsets.size()));
            String what = "byte %d of run %d, seed %d".formatted(offset, number, SEED);
            files.flip(run, offset, 1);
            try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
                if (log.setAside().isEmpty()) {
                    // A byte of the filter or of padding.
                    files.flip(run, offset, 1);
                    continue;
                }
                setAside++;
                for (int i = 0; i < 2; i++) {
                    add(log, next++);
                    mergeAll(log, what);
                }
            }
            try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
                check(log, what + ", opened again");
            }
            assertThat(files.list(DIRECTORY)).as(what).contains(number + ".run");
            files.flip(run, offset, 1);

            try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES);
                    RunView view = log.acquire()) {
                RunChecks.check(view, model, what + ", put back");
                assertThat(log.setAside()).as(what).isEmpty();
            }
        }
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            mergeAll(log, "in the end");
            assertThat(log.tierCount()).isOne();
        }
    }

    private void mergeAll(RunLog log, String what) throws IOException {
        check(log, what);
        while (log.compact(MERGING, CompactionPace.UNLIMITED, 9).isPresent()) {
            check(log, what + ", merged");
        }
    }

    private void check(RunLog log, String what) {
        try (RunView view = log.acquire()) {
            check(view, what);
        }
    }

    @Test
    void refusesARunOfALaterVersionThatIsWhole() throws IOException {
        String run = DIRECTORY + "/2.run";
        byte[] bytes = files.bytes(run);
        var header = new BlockBytes(RunLayout.HEADER_SIZE);
        header.putLong(RunLayout.MAGIC);
        header.putInt(RunLayout.VERSION + 1);
        header.putInt(0);
        header.putLong(2);
        header.putInt(header.crc(0, RunLayout.HEADER_CRC_OFFSET));
        header.written().get(bytes, 0, header.position());
        files.put(run, bytes);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(() -> RunLog.open(files, DIRECTORY, RandomRows.TYPES).close())
                .withMessage(run + " at 8: expected run format version 1, found version 2");
    }

    /** Returns the offsets of all bytes outside blocks. */
    private static List<Integer> describing(byte[] run) {
        int footer = run.length - RunLayout.FOOTER_SIZE;
        long index =
                MemorySegment.ofArray(run).get(BlockLayout.LONG, footer + RunLayout.INDEX_OFFSET);
        List<Integer> offsets = new ArrayList<>();
        for (int offset = 0; offset < run.length; offset++) {
            if (offset < RunLayout.HEADER_SIZE || offset >= index) {
                offsets.add(offset);
            }
        }
        return offsets;
    }

    /** Checks the rows of a view, and returns whether it has all of them. */
    private boolean check(RunView view, String what) {
        boolean isAll = true;
        for (String type : List.of("mail", "note")) {
            for (KeyRange range : List.of(new KeyRange.Everything(), new KeyRange.Group("user1"))) {
                isAll &= check(view, type, range, what);
            }
        }
        for (DocumentId id : written) {
            try {
                Optional<Row> newest = view.newest(id).filter(row -> !row.tombstone());
                assertThat(newest).as(what).isEqualTo(Optional.ofNullable(model.get(id)));
            } catch (CorruptRunException _) {
                isAll = false;
            }
        }
        return isAll;
    }

    private boolean check(RunView view, String type, KeyRange range, String what) {
        var reads = new ReadContext();
        Map<DocumentId, Row> seen = new HashMap<>();
        List<BlockSlice> slices =
                view.slices(type, range, HiddenRows.NONE, Optional.empty(), reads);
        for (BlockSlice slice : slices) {
            for (int row = slice.from(); row < slice.to(); row++) {
                if (!slice.dead().has(row)) {
                    Row stored = slice.block().row(row);
                    assertThat(seen.put(stored.id(), stored)).as("%s: twice", what).isNull();
                    assertThat(stored).as(what).isEqualTo(model.get(stored.id()));
                }
            }
        }
        long expected =
                model.keySet().stream()
                        .filter(id -> id.documentType().equals(type))
                        .filter(id ->
                                range instanceof KeyRange.Everything
                                        || id.key().text().equals("g=user1"))
                        .count();
        long told = reads.setAside().stream().mapToLong(ReadContext.SetAside::rows).sum();
        assertThat(told).as(what).isGreaterThanOrEqualTo(expected - seen.size());
        return seen.size() == expected;
    }
}
