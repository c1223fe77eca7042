package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Damages runs, one byte at a time. */
class CorruptRunTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final String RUN = DIRECTORY + "/2.run";

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private DamageRegister damage = new DamageRegister();
    private final RandomRows random = new RandomRows(SEED, 20);

    @BeforeEach
    void writeTwoRuns() throws IOException {
        try (RunLog log = open()) {
            var rows = new TreeMap<RowKey, Row>();
            for (int i = 0; i < 3; i++) {
                DocumentId id = DocumentId.parse("id:a:mail:g=g:" + i);
                rows.put(RowKey.of(id), random.put(id, RandomRows.MAIL));
            }
            DocumentId ofGroup = DocumentId.parse("id:a:mail:g=h:1");
            rows.put(RowKey.of(ofGroup), random.put(ofGroup, RandomRows.MAIL));
            add(log, List.of(), RandomRows.MAIL, rows);
            DocumentId removed = DocumentId.parse("id:a:mail:g=g:2");
            rows.put(RowKey.of(removed), random.remove(removed, RandomRows.MAIL));
            rows.remove(RowKey.of(ofGroup));
            add(log, List.of(new GroupTombstone("mail", ofGroup.key(), 1)), RandomRows.MAIL, rows);
        }
    }

    @Test
    void detectsAChangeOfEachByte() throws IOException {
        List<Row> rows = readAll();
        byte[] whole = files.bytes(RUN);
        int padding = 0;
        int withoutOnePart = 0;

        for (int offset = 0; offset < whole.length; offset++) {
            files.flip(RUN, offset, 1 << (offset % 8));
            damage = new DamageRegister();
            try {
                assertThat(readAll()).as("byte %d, seed %d", offset, SEED).isEqualTo(rows);
                if (damage.fileCount() == 0) {
                    assertThat(whole[offset]).as("byte %d is padding", offset).isZero();
                    padding++;
                } else {
                    // The filter only saves reads. Group tombstones are for gets of older rows.
                    assertThat(damage.damage())
                            .singleElement()
                            .satisfies(each -> {
                                assertThat(each.file()).isEqualTo(RUN);
                                assertThat(each.expected())
                                        .containsPattern("^(filter|group tombstones) of crc ");
                            });
                    withoutOnePart++;
                }
            } catch (CorruptRunException e) {
                assertThat(e).hasMessageMatching("(?s)" + RUN + " at \\d+: expected .+, found .+");
                assertThat(e.offset()).isBetween(0L, (long) whole.length);
            }
            files.flip(RUN, offset, 1 << (offset % 8));
        }

        assertThat(padding).isLessThan(9 * RunLayout.ALIGNMENT + 14 * Long.BYTES);
        assertThat(withoutOnePart).isEqualTo(32 + RunLayout.GROUP_SIZE + "mail:g=h".length());
    }

    @Test
    void detectsATruncatedFile() throws IOException {
        byte[] whole = files.bytes(RUN);

        for (int length = 0; length < whole.length; length += 7) {
            files.put(RUN, Arrays.copyOf(whole, length));

            assertThatExceptionOfType(CorruptRunException.class)
                    .as("%d bytes", length)
                    .isThrownBy(this::readAll)
                    .withMessageStartingWith(RUN + " at ");
        }
    }

    @Test
    void detectsAMissingFile() throws IOException {
        files.delete(RUN);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::readAll)
                .withMessage(RUN + " at 0: expected the file that the manifest lists, found none");
    }

    @Test
    void detectsAnotherRunInItsPlace() throws IOException {
        files.put(RUN, files.bytes(DIRECTORY + "/1.run"));

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::readAll)
                .withMessage(RUN + " at 16: expected run 2, found run 1");
    }

    @Test
    void refusesBlocksOfAnotherVersionByNumber() throws IOException {
        files.flip(RUN, RunLayout.HEADER_SIZE + BlockLayout.VERSION_OFFSET, 3);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::readAll)
                .withMessage(RUN + " at 68: expected block format version 1, found version 2");
    }

    @Test
    void readsNoTypeThatIsNotStored() throws IOException {
        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(() -> RunLog.open(files, DIRECTORY, _ -> Optional.empty()))
                .withMessageContaining("expected the type 'mail' in 'schemas/");
    }

    private List<Row> readAll() throws IOException {
        List<Row> rows = new ArrayList<>();
        try (RunLog log = open();
                RunView view = log.acquire()) {
            for (BlockSlice slice : view.slices("mail", new KeyRange.Everything())) {
                for (int row = slice.from(); row < slice.to(); row++) {
                    if (!slice.dead().has(row)) {
                        rows.add(slice.block().row(row));
                    }
                }
            }
            view.newest(DocumentId.parse("id:a:mail:g=g:2")).ifPresent(rows::add);
        }
        return rows;
    }

    private RunLog open() throws IOException {
        return RunLog.open(
                files,
                DIRECTORY,
                RandomRows.TYPES,
                damage,
                new LostFiles(files, InstantSource.system()),
                Optional.empty());
    }

    private static void add(
            RunLog log, List<GroupTombstone> groups, DocumentType type, SortedMap<RowKey, Row> rows)
            throws IOException {
        log.add(
                run -> {
                    groups.forEach(run::remove);
                    run.begin(type);
                    for (var row : rows.entrySet()) {
                        run.add(row.getKey(), RandomRows.encoded(row.getValue()));
                    }
                },
                1,
                1,
                1);
    }
}
