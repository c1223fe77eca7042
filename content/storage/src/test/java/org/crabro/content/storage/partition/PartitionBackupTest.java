package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.FileTransfer.Brought;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.manifest.ManifestSnapshot;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.PlaceRange;
import org.crabro.content.storage.manifest.RunEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionBackupTest {
    private static final String DIRECTORY = "partitions/05";

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();
    @RegisterExtension final LeakCheckedFiles target = new LeakCheckedFiles();

    private final FileTransfer transfer = new FileTransfer(files, target, () -> false);

    @Test
    void bringsALaterMomentWhereRunsWereMergedAwayMeanwhile() throws IOException {
        write(1, 4, 5);
        Deque<ManifestState> moments =
                new ArrayDeque<>(List.of(state(1, 1, 2, 3), state(2, 3, 4), state(3, 4, 5)));

        BackupMoment moment =
                PartitionBackup.write(
                        DIRECTORY,
                        () -> moments.size() == 1 ? moments.getFirst() : moments.removeFirst(),
                        transfer);

        assertThat(moment).isEqualTo(new BackupMoment(3, 30));
        assertThat(target.list(DIRECTORY))
                .containsExactly("4.run", "5.run", "manifest.1", "manifest.2");
        assertThat(transfer.brought())
                .extracting(Brought::file)
                .containsExactlyInAnyOrder(
                        DIRECTORY + "/4.run",
                        DIRECTORY + "/5.run",
                        DIRECTORY + "/manifest.1",
                        DIRECTORY + "/manifest.2");
        ManifestSnapshot written = ManifestSnapshot.read(target, DIRECTORY);
        assertThat(written.state()).isEqualTo(state(3, 4, 5));
        assertThat(written.damage()).isEmpty();
    }

    @Test
    void failsWhereARunIsMissingThatIsNamedStill() throws IOException {
        write(1);

        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> PartitionBackup.write(DIRECTORY, () -> state(1, 1, 2), transfer));
    }

    @Test
    void endsWhenItIsToldTo() throws IOException {
        write(1);
        var over = new FileTransfer(files, target, () -> true);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> PartitionBackup.write(DIRECTORY, () -> state(1, 1), over));

        assertThat(target.list(DIRECTORY)).isEmpty();
    }

    private void write(int... numbers) throws IOException {
        for (int number : numbers) {
            try (LogFile file = files.create(DIRECTORY + "/" + RunEntry.fileName(number))) {
                file.write(ByteBuffer.wrap(new byte[100]), 0);
            }
        }
    }

    private static ManifestState state(long edits, Integer... numbers) {
        List<RunEntry> runs =
                Stream.of(numbers)
                        .map(number ->
                                new RunEntry(
                                        number,
                                        number,
                                        new RunEntry.Size(1, 100),
                                        PlaceRange.ALL,
                                        PlaceRange.ALL,
                                        1))
                        .toList();
        assertThat(Set.of(numbers)).hasSize(numbers.length);
        return new ManifestState(edits, edits, 10 * edits, 5, runs, List.of());
    }
}
