package org.crabro.content.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.crabro.content.journal.FaultyLogFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ManifestTest {
    private static final String DIRECTORY = "partitions/00";
    private static final String PATH = DIRECTORY + "/manifest";

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    @Test
    void readsWhatWasAppended() throws IOException {
        writeThreeEdits();

        ManifestState state = state();

        assertThat(state)
                .isEqualTo(new ManifestState(3, 30, 300, List.of(run(1), run(2), run(4)), 4));
    }

    @Test
    void putsAddedRunsWhereTheRemovedOnesStood() throws IOException {
        writeThreeEdits();

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(new ManifestEdit(30, 300, List.of(1L, 2L), List.of(run(5))));
        }

        assertThat(state().runs()).containsExactly(run(5), run(4));
    }

    @Test
    void refusesEditsThatDoNotFollow() throws IOException {
        writeThreeEdits();

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> manifest.append(new ManifestEdit(1, 1, List.of(9L), List.of())))
                    .withMessage("runs [9] are not there to be removed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            manifest.append(new ManifestEdit(1, 1, List.of(), List.of(run(3)))))
                    .withMessage("run 3 is added after run 4");
        }
    }

    @Test
    void stopsAtALastEditThatWasCutOff() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(PATH);
        int lastEdit = whole.length - editSize(1);

        for (int length = lastEdit; length < whole.length; length++) {
            files.put(PATH, Arrays.copyOf(whole, length));

            assertThat(state().runs()).as("%d bytes", length).containsExactly(run(1), run(2));
            assertThat(files.bytes(PATH)).hasSize(lastEdit);
        }
    }

    @Test
    void goesOnBehindATailThatWasCutAway() throws IOException {
        writeThreeEdits();
        byte[] whole = files.bytes(PATH);
        files.put(PATH, Arrays.copyOf(whole, whole.length - 5));

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(new ManifestEdit(31, 301, List.of(), List.of(run(7))));
        }

        assertThat(state())
                .isEqualTo(new ManifestState(3, 31, 301, List.of(run(1), run(2), run(7)), 7));
    }

    @Test
    void tellsOfEveryDamagedByteBeforeTheLastEdit() throws IOException {
        writeThreeEdits();
        int lastEdit = files.bytes(PATH).length - editSize(1);

        for (int offset = 0; offset < lastEdit; offset++) {
            files.flip(PATH, offset, 1 << (offset % 8));

            assertThatExceptionOfType(CorruptRunException.class)
                    .as("offset %d", offset)
                    .isThrownBy(this::state)
                    .withMessageStartingWith(PATH + " at ");
            files.flip(PATH, offset, 1 << (offset % 8));
        }
    }

    @Test
    void refusesAnotherVersionByNumber() throws IOException {
        writeThreeEdits();
        files.flip(PATH, ManifestLayout.VERSION_OFFSET, 3);

        assertThatExceptionOfType(CorruptRunException.class)
                .isThrownBy(this::state)
                .withMessage(PATH + " at 8: expected manifest format version 1, found version 2");
    }

    @Test
    void beginsAnewWhereACrashLeftNoHeader() throws IOException {
        for (int length = 0; length <= ManifestLayout.HEADER_SIZE; length++) {
            files.put(PATH, new byte[length]);

            assertThat(state()).isEqualTo(ManifestState.EMPTY);
            assertThat(state()).isEqualTo(ManifestState.EMPTY);
        }
    }

    @Test
    void forcesEachEditBeforeItCounts() throws IOException {
        var faulty = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 2026)));
        try (Manifest manifest = Manifest.open(faulty, DIRECTORY)) {
            manifest.append(new ManifestEdit(1, 1, List.of(), List.of(run(1))));
        }

        FaultyLogFiles found = faulty.afterCrash(FaultyLogFiles.Loss.EVERYTHING);

        try (Manifest manifest = Manifest.open(found, DIRECTORY)) {
            assertThat(manifest.state().runs()).containsExactly(run(1));
        }
    }

    @Test
    void takesNothingMoreAfterAForceThatFailed() throws IOException {
        var faulty = new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 2026)));
        try (Manifest manifest = Manifest.open(faulty, DIRECTORY)) {
            faulty.failForceAfter(1);
            var edit = new ManifestEdit(1, 1, List.of(), List.of(run(1)));

            assertThatIOException().isThrownBy(() -> manifest.append(edit));

            assertThatIOException()
                    .isThrownBy(() -> manifest.append(edit))
                    .withMessageContaining("could not be forced before");
            assertThat(manifest.state()).isEqualTo(ManifestState.EMPTY);
        }
    }

    private void writeThreeEdits() throws IOException {
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            manifest.append(new ManifestEdit(10, 100, List.of(), List.of(run(1))));
            manifest.append(new ManifestEdit(20, 200, List.of(), List.of(run(2))));
            manifest.append(new ManifestEdit(30, 300, List.of(), List.of(run(4))));
        }
    }

    private ManifestState state() throws IOException {
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            return manifest.state();
        }
    }

    private static int editSize(int added) {
        var edit = new ManifestEdit(0, 0, List.of(), List.of(run(added)));
        return ManifestLayout.encode(edit, 1).position();
    }

    private static RunEntry run(long number) {
        return new RunEntry(number, 10 * number, 1_000 * number, number, -number);
    }
}
