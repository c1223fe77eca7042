package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ChunkSelection;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.SearchedTypes;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.protocol.encoding.Row;
import org.crabro.text.Folding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers of some rows of blocks with bad bytes: no wrong value is read. */
class DamagedPageTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final String RUN = DIRECTORY + "/1.run";
    private static final int ROWS = 1_000;
    private static final StoredTypes TYPES =
            new SearchedTypes(
                    RandomRows.TYPES,
                    new SearchedTexts(Map.of("subject", Folding.ACCENTS, "to", Folding.CASE)));

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final TreeMap<RowKey, Row> rows = new TreeMap<>();
    private long blocksEnd;

    @BeforeEach
    void writeARun() throws IOException {
        var made = new RandomRows(SEED);
        while (rows.size() < ROWS) {
            DocumentId id = made.id(RandomRows.MAIL, ROWS);
            rows.put(RowKey.of(id), made.put(id, RandomRows.MAIL));
        }
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            log.add(
                    run -> {
                        run.begin(RandomRows.MAIL);
                        for (var row : rows.entrySet()) {
                            run.add(row.getKey(), RandomRows.encoded(row.getValue()));
                        }
                    },
                    1,
                    1,
                    1);
            blocksEnd = RunLayout.HEADER_SIZE;
            try (RunView view = log.acquire()) {
                for (BlockSlice slice : slices(view)) {
                    blocksEnd += block(slice).byteSize();
                }
            }
        }
    }

    @Test
    void readsWhatWasWrittenOrRefuses() throws IOException {
        var random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < 1_500; i++) {
            long seed = random.nextLong();
            List<String> expected = readSome(new Random(seed));
            long damaged = random.nextLong(RunLayout.HEADER_SIZE, blocksEnd);
            int bits = 1 << random.nextInt(8);
            String as = "byte %d, seed %d".formatted(damaged, SEED);
            files.flip(RUN, damaged, bits);
            try {
                assertThat(readSome(new Random(seed))).as(as).isEqualTo(expected);
            } catch (CorruptRunException e) {
                assertThat(e).as(as).hasMessageStartingWith(RUN + " at ");
                refused++;
            }
            files.flip(RUN, damaged, bits);
        }

        assertThat(refused).as("seed %d", SEED).isBetween(10, 750);
    }

    @Test
    void refusesTheRowsOfADamagedPageAloneAndTellsWhatLiesThere() throws IOException {
        ChunkExtent texts;
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES);
                RunView view = log.acquire()) {
            texts = block(slices(view).getFirst()).extents("subject").getFirst();
        }
        long damaged = RunLayout.HEADER_SIZE + texts.offset() + texts.length() / 2;
        files.flip(RUN, damaged, 1);

        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES);
                RunView view = log.acquire()) {
            EncodedBlock block = block(slices(view).getFirst());

            assertThat(block.only(0, 1).column("subject")).isPresent();
            assertThat(block.keys().rows()).isEqualTo(block.rowCount());
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(() -> block.column("subject"))
                    .withMessageMatching(
                            RUN
                                    + " at "
                                    + (damaged & -4_096)
                                    + ": expected 4096 bytes with .*column 'subject' as .*"
                                    + " of crc [0-9a-f]{8}, found crc [0-9a-f]{8}");
        }
    }

    @Test
    void checksWhatIsShortWholeAndTellsOfItsDamageOnlyThoseWhoReadIt() throws IOException {
        var subjects = new BlockProjection(Set.of("subject"), Set.of(), Set.of(), false, false);
        ChunkExtent texts;
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES);
                RunView view = log.acquire()) {
            EncodedBlock block = block(slices(view).getFirst());
            texts = block.extents("subject").getFirst();
            assertThat(new ChunkSelection(subjects).areInMemory(block)).isTrue();
            assertThat(new ChunkSelection(subjects).areInMemory(block)).isTrue();
        }
        files.flip(RUN, RunLayout.HEADER_SIZE + texts.offset() + texts.length() / 2, 1);

        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES);
                RunView view = log.acquire()) {
            EncodedBlock block = block(slices(view).getFirst());

            assertThat(new ChunkSelection(subjects).areInMemory(block)).isFalse();
            assertThat(block.only(0, 1).column("subject")).isPresent();
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(() -> block.column("subject"));
        }
    }

    @Test
    void checksAPageOnce() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            ChunkExtent vectors;
            try (RunView view = log.acquire()) {
                EncodedBlock block = block(slices(view).getFirst());
                assertThat(block.column("vector")).isPresent();
                vectors = block.extents("vector").getFirst();
            }
            files.flip(RUN, RunLayout.HEADER_SIZE + vectors.offset(), 1);
            try (RunView view = log.acquire()) {
                assertThat(block(slices(view).getFirst()).column("vector")).isPresent();
            }
        }
    }

    private static List<BlockSlice> slices(RunView view) {
        return view.slices("mail", new KeyRange.Everything());
    }

    private static EncodedBlock block(BlockSlice slice) {
        return slice.block();
    }

    /** Reads some values of some rows of a block, and returns them as text. */
    private List<String> readSome(Random random) throws IOException {
        var read = new ArrayList<String>();
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES);
                RunView view = log.acquire()) {
            List<String> groups = List.of("user0", "user1", "user2");
            KeyRange range =
                    random.nextInt(4) == 0
                            ? new KeyRange.Everything()
                            : new KeyRange.Group(groups.get(random.nextInt(groups.size())));
            List<BlockSlice> slices = view.slices("mail", range);
            BlockSlice slice = slices.get(random.nextInt(slices.size()));
            int from = random.nextInt(slice.from(), slice.to());
            int to = random.nextInt(from, Math.min(slice.to(), from + 40)) + 1;
            EncodedBlock block = block(slice).only(from, to);
            for (int i = random.nextInt(3); i >= 0; i--) {
                readSome(block, from, to, random.nextInt(5), random, read);
            }
        }
        return read;
    }

    private static void readSome(
            EncodedBlock block, int from, int to, int what, Random random, List<String> into) {
        List<Field> fields = RandomRows.MAIL.fields();
        String field = fields.get(random.nextInt(fields.size())).name();
        for (int row = from; row < to; row++) {
            int at = row;
            switch (what) {
                case 0 -> into.add(block.id(row).toString());
                case 1 -> into.add(Long.toString(block.timestamp(row)));
                case 2 -> into.add(words(block, random.nextBoolean() ? "subject" : "to", row));
                case 3 -> into.add(block.row(row).toString());
                default ->
                        block.column(field)
                                .flatMap(column -> new ColumnValues().value(column, at))
                                .ifPresent(value -> into.add(value.toString()));
            }
        }
    }

    private static String words(EncodedBlock block, String field, int row) {
        TokenDictionary.Cursor cursor = block.tokenDictionary(field).orElseThrow().cursor();
        TokenNumbers numbers = block.tokenNumbers(field).orElseThrow();
        var words = new ArrayList<String>();
        for (int word = numbers.rowStart(row); word < numbers.rowStart(row + 1); word++) {
            cursor.go(numbers.number(word));
            words.add(Arrays.toString(Arrays.copyOf(cursor.buffer(), cursor.length())));
        }
        return words.toString();
    }
}
