package org.crabro.content.storage.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.partition.LeakCheckedFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ManifestTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final String FIRST = DIRECTORY + "/manifest.1";
    private static final String SECOND = DIRECTORY + "/manifest.2";
    private static final PlaceRange FROM_6 = new PlaceRange(6, RunEntry.LAST);
    private static final ManifestState THREE_EDITS =
            new ManifestState(3, 30, 300, 4, List.of(run(1), run(2), run(4)), List.of());

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    @Test
    void readsWhatWasAppended() throws IOException {
        writeThreeEdits();

        assertThat(state()).isEqualTo(THREE_EDITS);
    }

    @Test
    void ordersRunsByTierAndPlace() throws IOException {
        writeThreeEdits();

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(
                    new ManifestEdit(
                            30,
                            300,
                            4,
                            new RunChanges(
                                    List.of(1L),
                                    List.of(new RunBounds(2, FROM_6)),
                                    List.of(run(5, 2, 0, 5))),
                            List.of(new OpenMerge(1, 2, 6))));
        }

        assertThat(state().runs()).containsExactly(run(5, 2, 0, 5), run(2).within(FROM_6), run(4));
        assertThat(state().merges()).containsExactly(new OpenMerge(1, 2, 6));
    }

    @Test
    void refusesEditsThatDoNotFollow() throws IOException {
        writeThreeEdits();

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> manifest.append(edit(1, List.of(9L), List.of())))
                    .withMessage("runs [9] do not exist and cannot be removed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> manifest.append(edit(1, List.of(), List.of(run(3)))))
                    .withMessage("run 3 is added after run 4");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            manifest.append(
                                    new ManifestEdit(
                                            1,
                                            1,
                                            4,
                                            new RunChanges(
                                                    List.of(),
                                                    List.of(new RunBounds(7, new PlaceRange(0, 1))),
                                                    List.of()),
                                            List.of())))
                    .withMessage("runs [7] do not exist and cannot be bounded");
        }
    }

    @Test
    void losesNothingWhereOneCopyIsDamagedAnywhere() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);

        for (String copy : List.of(FIRST, SECOND)) {
            for (int offset = 0; offset < whole.length; offset++) {
                writeBoth(whole);
                files.flip(copy, offset, 1 << (offset % 8));

                assertThat(state()).as("%s at %d", copy, offset).isEqualTo(THREE_EDITS);
                assertThat(files.list(DIRECTORY)).hasSize(2).doesNotContain(name(copy));
                assertThat(state()).as("%s at %d, again", copy, offset).isEqualTo(THREE_EDITS);
            }
        }
    }

    @Test
    void losesNothingWhereOneCopyIsGoneOrCutOff() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);

        for (int length = 0; length < whole.length; length += 3) {
            writeBoth(whole);
            files.put(SECOND, Arrays.copyOf(whole, length));

            assertThat(state()).as("%d bytes", length).isEqualTo(THREE_EDITS);
        }
        writeBoth(whole);
        files.delete(FIRST);

        assertThat(state()).isEqualTo(THREE_EDITS);
    }

    @Test
    void refusesTwoDamagedCopies() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);

        for (int offset = 0; offset < whole.length; offset++) {
            writeBoth(whole);
            files.flip(FIRST, offset, 1 << (offset % 8));
            files.flip(SECOND, offset, 1 << (offset % 8));
            checkRefused("offset " + offset);
        }
    }

    @Test
    void refusesTwoCopiesThatAreCutOffOrZeros() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);
        int edit = edits(whole);

        for (int length = 1; length < whole.length; length++) {
            writeBoth(Arrays.copyOf(whole, length));
            // A file that ends between two edits looks like an older one.
            if (length > ManifestLayout.HEADER_SIZE
                    && (length - ManifestLayout.HEADER_SIZE) % edit != 0) {
                checkRefused(length + " bytes");
            }
            writeBoth(new byte[length]);
            if (length > ManifestLayout.HEADER_SIZE) {
                checkRefused(length + " zeros");
            }
        }
    }

    @Test
    void refusesADamagedCopyWhereTheOtherIsGoneOrOlder() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);
        int edit = edits(whole);

        for (int offset = 0; offset < whole.length; offset++) {
            writeBoth(whole);
            files.flip(FIRST, offset, 1);
            files.delete(SECOND);
            checkRefused("alone, offset " + offset);

            boolean showsLastEdit = offset < whole.length - edit;
            if (showsLastEdit) {
                files.put(SECOND, Arrays.copyOf(whole, whole.length - edit));
                checkRefused("older, offset " + offset);
            }
        }
    }

    /** The refused open changes no file, and an inspection reports the damage as well. */
    private void checkRefused(String what) throws IOException {
        List<String> before = files.list(DIRECTORY);

        assertThatExceptionOfType(CorruptRunException.class)
                .as(what)
                .isThrownBy(this::state)
                .withMessageContaining(DIRECTORY + "/manifest.")
                .withMessageContaining("crabro rebuild-manifest");

        assertThat(files.list(DIRECTORY)).as(what).isEqualTo(before);
        assertThat(ManifestSnapshot.read(files, DIRECTORY).damage()).as(what).isNotEmpty();
    }

    @Test
    void keepsALastEditOfOneCopyAndDropsOneTruncatedInBoth() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);
        int lastEdit = whole.length - edits(whole);

        for (int length = lastEdit; length < whole.length; length++) {
            writeBoth(Arrays.copyOf(whole, lastEdit));
            files.put(FIRST, Arrays.copyOf(whole, length));

            assertThat(state().runs()).as("%d bytes", length).containsExactly(run(1), run(2));
        }
        writeBoth(Arrays.copyOf(whole, lastEdit));
        files.put(FIRST, whole);

        assertThat(state()).isEqualTo(THREE_EDITS);
        assertThat(state()).isEqualTo(THREE_EDITS);
    }

    @Test
    void goesOnBehindATailThatWasCutAway() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(FIRST);
        writeBoth(Arrays.copyOf(whole, whole.length - edits(whole)));
        files.put(FIRST, Arrays.copyOf(whole, whole.length - 5));

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(edit(31, List.of(), List.of(run(7))));
        }

        assertThat(state().editCount()).isEqualTo(3);
        assertThat(state().runs()).containsExactly(run(1), run(2), run(7));
    }

    @Test
    void staysShortHoweverManyEditsThereAre() throws IOException {
        long longest = 0;
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(edit(1, List.of(), List.of(run(1))));
            for (long i = 2; i < 4_000; i++) {
                manifest.append(edit(i, List.of(i - 1), List.of(run(i))));
                for (String name : files.list(DIRECTORY)) {
                    longest = Math.max(longest, files.bytes(DIRECTORY + "/" + name).length);
                }
            }
        }

        assertThat(longest).isBetween(Manifest.FILE_BYTES / 2, Manifest.FILE_BYTES + 1_000);
        assertThat(files.list(DIRECTORY)).hasSize(2);
        assertThat(state().editCount()).isEqualTo(3_999);
        assertThat(state().runs()).containsExactly(run(3_999));
    }

    @Test
    void saysEverythingWhereverItStopsWhenFilesAreWrittenAnew() throws IOException {
        for (FaultyLogFiles.Loss loss : FaultyLogFiles.Loss.values()) {
            for (int stop = 1; stop < 40; stop++) {
                var faulty = new FaultyLogFiles(new Random(SEED + stop));
                long told = appendUntilStopped(faulty, stop);
                FaultyLogFiles recovered = faulty.afterCrash(loss);

                try (Manifest manifest = Manifest.open(recovered, DIRECTORY)) {
                    assertThat(manifest.state().editCount())
                            .as("stop %d, %s, seed %d", stop, loss, SEED)
                            .isBetween(told, told + 1);
                    assertThat(manifest.state().covered()).isEqualTo(manifest.state().editCount());
                }
                recovered.checkNothingIsLeft();
                faulty.checkNothingIsLeft();
            }
        }
    }

    /**
     * Returns the number of acknowledged edits, the last of which were near a rewrite of the files.
     */
    private static long appendUntilStopped(FaultyLogFiles faulty, int stop) throws IOException {
        long told = 0;
        List<Long> many = new ArrayList<>();
        try (Manifest manifest = Manifest.open(faulty, DIRECTORY)) {
            List<RunEntry> runs = new ArrayList<>();
            for (long i = 1; i <= 880; i++) {
                runs.add(run(i));
                many.add(i);
            }
            manifest.append(edit(1, List.of(), runs));
            manifest.append(edit(2, many, List.of()));
            told = 2;
            faulty.stopAfter(stop);
            while (true) {
                manifest.append(edit(told + 1, List.of(), List.of()));
                told++;
            }
        } catch (FaultyLogFiles.StoppedException _) {
            return told;
        }
    }

    @Test
    void refusesAnotherVersionByNumber() throws IOException {
        var header = new BlockBytes(ManifestLayout.HEADER_SIZE);
        header.putLong(ManifestLayout.MAGIC);
        header.putInt(2);
        header.putInt(header.crc(0, ManifestLayout.HEADER_CRC_OFFSET));
        byte[] bytes = new byte[ManifestLayout.HEADER_SIZE];
        header.written().get(bytes);
        files.put(FIRST, bytes);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::state)
                .withMessage(FIRST + " at 8: expected manifest format version 1, found version 2");
    }

    @Test
    void refusesAManifestOfBeforeInWords() throws IOException {
        files.put(DIRECTORY + "/manifest", new byte[16]);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::state)
                .withMessageContaining("feed the documents again");
    }

    @Test
    void beginsAnewWhereACrashLeftNoHeader() throws IOException {
        for (int length = 0; length <= ManifestLayout.HEADER_SIZE; length++) {
            files.put(FIRST, new byte[length]);

            assertThat(state()).isEqualTo(ManifestState.EMPTY);
            assertThat(state()).isEqualTo(ManifestState.EMPTY);
        }
    }

    @Test
    void reportsRunsWithoutAManifest() throws IOException {
        files.put(DIRECTORY + "/3.run", new byte[10]);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::state)
                .withMessageStartingWith(
                        FIRST + " at 0: expected the manifest of its runs, found none. ");
    }

    @Test
    void forcesEachEditBeforeItCounts() throws IOException {
        var faulty = new FaultyLogFiles(new Random(SEED));
        try (Manifest manifest = Manifest.open(faulty, DIRECTORY)) {
            manifest.append(edit(1, List.of(), List.of(run(1))));
        }
        for (String copy : List.of(FIRST, SECOND)) {
            FaultyLogFiles recovered = faulty.afterCrash(FaultyLogFiles.Loss.EVERYTHING);
            recovered.delete(copy);

            try (Manifest manifest = Manifest.open(recovered, DIRECTORY)) {
                assertThat(manifest.state().runs()).containsExactly(run(1));
            }
        }
    }

    @Test
    void rejectsEditsAfterAFailedForce() throws IOException {
        for (int force = 1; force <= 2; force++) {
            var faulty = new FaultyLogFiles(new Random(SEED));
            try (Manifest manifest = Manifest.open(faulty, DIRECTORY)) {
                faulty.failForceAfter(force);
                ManifestEdit edit = edit(1, List.of(), List.of(run(1)));

                assertThatIOException().isThrownBy(() -> manifest.append(edit));

                assertThatIOException()
                        .isThrownBy(() -> manifest.append(edit))
                        .withMessageContaining("could not be forced earlier");
                assertThat(manifest.state()).isEqualTo(ManifestState.EMPTY);
            }
        }
    }

    private void writeThreeEdits() throws IOException {
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(edit(10, List.of(), List.of(run(1))));
            manifest.append(edit(20, List.of(), List.of(run(2))));
            manifest.append(edit(30, List.of(), List.of(run(4))));
        }
    }

    private void writeBoth(byte[] bytes) throws IOException {
        for (String name : files.list(DIRECTORY)) {
            files.delete(DIRECTORY + "/" + name);
        }
        files.put(FIRST, bytes);
        files.put(SECOND, bytes);
    }

    private ManifestState state() throws IOException {
        return state(files);
    }

    private static ManifestState state(LogFiles files) throws IOException {
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            return manifest.state();
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the size of each edit of a file with three edits of one size. */
    private static int edits(byte[] whole) {
        return (whole.length - ManifestLayout.HEADER_SIZE) / 3;
    }

    private static ManifestEdit edit(long covered, List<Long> removed, List<RunEntry> added) {
        return new ManifestEdit(
                covered, 10 * covered, 0, new RunChanges(removed, List.of(), added), List.of());
    }

    private static RunEntry run(long number) {
        return run(number, number, number, -number);
    }

    private static RunEntry run(long number, long tier, long first, long last) {
        return new RunEntry(
                number,
                tier,
                new RunEntry.Size(10 * number, 1_000 * number),
                new PlaceRange(first, last),
                PlaceRange.ALL,
                10_000 * number);
    }
}
