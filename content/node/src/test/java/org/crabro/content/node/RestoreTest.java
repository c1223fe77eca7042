package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.crabro.content.storage.backup.BackupList;
import org.crabro.content.storage.integrity.Restore;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestoreTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int DOCUMENTS = 40;
    private static final String ATTACHED = "packages/7/services.xml";
    private static final byte[] ATTACHED_BYTES = "<services/>".getBytes(StandardCharsets.UTF_8);

    /**
     * The size of the header; after it the journal of a backup has no documents, and a node appends
     * there.
     */
    private static final int JOURNAL_BYTES = 24;

    @TempDir Path directory;

    private final FaultyLogFiles backup = new FaultyLogFiles(new Random(SEED));

    @BeforeEach
    void backUp() throws IOException {
        try (NodeFixture node = StoredMails.open(new MemoryLogFiles())) {
            for (int i = 0; i < DOCUMENTS; i++) {
                StoredMails.put(node, "group" + i % 7, i, "mail " + i);
            }
            node.node()
                    .backup(
                            backup,
                            target ->
                                    target.add(ATTACHED, new ByteArrayInputStream(ATTACHED_BYTES)));
        }
    }

    @Test
    void restoresDocumentsAndAttachments() throws IOException {
        var target = new FaultyLogFiles(new Random(SEED));

        Restore.Report report = Restore.check(backup).into(target);

        assertThat(report.attached()).containsExactly(ATTACHED);
        assertThat(report.files()).isEqualTo(backup.names().size() - 2);
        checkAll(target.afterCrash(FaultyLogFiles.Loss.EVERYTHING));
        target.checkNothingIsLeft();
        backup.checkNothingIsLeft();
    }

    @Test
    void isRefusedOrWholeAfterACrashAtAnyMoment() throws IOException {
        Restore restore = Restore.check(backup);
        var whole = new FaultyLogFiles(new Random(SEED));
        restore.into(whole);
        int refused = 0;
        for (int stop = 1; stop <= whole.effects(); stop++) {
            var target = new FaultyLogFiles(new Random(SEED + stop));
            target.stopAfter(stop);
            assertThatIOException().isThrownBy(() -> restore.into(target));
            FaultyLogFiles left = target.afterCrash(FaultyLogFiles.Loss.SOME);
            if (left.list("").contains(BackupList.PATH) && BackupList.read(left).isPresent()) {
                checkAll(left);
            } else if (left.names().size() > 1) {
                refused++;
                assertThatIOException()
                        .as("stopped after %d, seed %d", stop, SEED)
                        .isThrownBy(() -> StoredMails.open(left))
                        .withMessageStartingWith("the directory contains an incomplete backup or");
                assertThatIOException()
                        .isThrownBy(() -> restore.into(left))
                        .withMessageStartingWith("a restore into this directory did not finish");
            }
        }
        assertThat(refused).isGreaterThan(10);
    }

    /** Bytes between the parts of a file have no checksum, and no meaning. */
    @Test
    void namesADamagedFile() throws IOException {
        int named = 0;
        for (String path : backup.names().keySet()) {
            int length = Math.min(backup.names().get(path), bytesRead(path));
            for (int offset = 0; offset < length; offset += path.contains("/") ? 37 : 5) {
                int bit = new Random(SEED + offset).nextInt(8);
                String flip = "bit %d of byte %d of %s".formatted(bit, offset, path);
                backup.damage(path, offset, bit);
                try {
                    Restore restore = Restore.check(backup);
                    assertThat(path).as(flip).endsWith(".run");
                    var target = new MemoryLogFiles();
                    restore.into(target);
                    checkAll(target);
                } catch (IOException e) {
                    named++;
                    assertThat(e)
                            .as(flip)
                            .hasMessageContaining(
                                    path.equals(BackupList.PATH)
                                            ? "its file"
                                            : path.replace("schemas/", ""));
                }
                backup.damage(path, offset, bit);
            }
        }
        Restore.check(backup);
        assertThat(named).isGreaterThan(100);
    }

    private static int bytesRead(String path) {
        return path.startsWith("journal") ? JOURNAL_BYTES : Integer.MAX_VALUE;
    }

    @Test
    void namesAFileThatIsMissingOrCut() throws IOException {
        for (String path : backup.names().keySet()) {
            FaultyLogFiles missing = backup.afterCrash(FaultyLogFiles.Loss.NOTHING);
            missing.delete(path);
            assertThatIOException()
                    .isThrownBy(() -> Restore.check(missing))
                    .withMessageContaining(path);
            FaultyLogFiles cut = backup.afterCrash(FaultyLogFiles.Loss.NOTHING);
            try (LogFiles.LogFile file = cut.open(path)) {
                file.resize(file.size() - 1);
            }
            assertThatIOException()
                    .isThrownBy(() -> Restore.check(cut))
                    .withMessageContaining(path);
        }
    }

    @Test
    void leavesNothingOpenWhereReadingFails() throws IOException {
        Restore restore = Restore.check(backup);
        var target = new FaultyLogFiles(new Random(SEED));
        backup.failAfter(FaultyLogFiles.Effect.READ, 5);

        assertThatIOException().isThrownBy(() -> restore.into(target));

        target.checkNothingIsLeft();
        backup.checkNothingIsLeft();
        assertThatIOException().isThrownBy(() -> StoredMails.open(target));
    }

    @Test
    void refusesADiskThatIsTooSmallBeforeItWrites() throws IOException {
        var target = new FaultyLogFiles(new Random(SEED));
        target.limitCapacity(10_000);

        assertThatIOException()
                .isThrownBy(() -> Restore.check(backup).into(target))
                .withMessageMatching("the backup has [\\d,]+ bytes, but .* has only 10,000 free");
        assertThat(target.list("")).isEmpty();
    }

    @Test
    void refusesADirectoryWithFiles() throws IOException {
        var target = new MemoryLogFiles();
        StoredMails.open(target).close();

        assertThatIOException()
                .isThrownBy(() -> Restore.check(backup).into(target))
                .withMessageStartingWith("the directory of the documents is not empty: it has '");
    }

    @Test
    void refusesWhatIsNotABackup() throws IOException {
        var data = new MemoryLogFiles();
        StoredMails.open(data).close();

        assertThatIOException()
                .isThrownBy(() -> Restore.check(data))
                .withMessage("the directory is not a backup: its 'version' marks it as data");
        assertThatIOException()
                .isThrownBy(() -> Restore.check(new MemoryLogFiles()))
                .withMessage("the directory is not a backup: it has no file 'version'");
        assertThatIOException()
                .isThrownBy(() -> Restore.check(directory.resolve("none")))
                .withMessageEndingWith("none' is not a backup: it is not a directory");
    }

    @Test
    void refusesANewerFormatOfDataByName() throws IOException {
        try (LogFiles.LogFile version = backup.open("version")) {
            version.write(
                    ByteBuffer.wrap("crabro backup, format 9".getBytes(StandardCharsets.US_ASCII)),
                    0);
        }

        assertThatIOException()
                .isThrownBy(() -> Restore.check(backup))
                .withMessageStartingWith("version at byte 0: expected format 1, found 'crabro");
    }

    /** Made by a program whose backups contained only documents. */
    @ParameterizedTest
    @ValueSource(strings = "backup-1")
    void restoresABackupOfAnEarlierVersion(String name) throws IOException {
        Path old = directory.resolve("old");
        Path data = directory.resolve("data");
        GoldenData.unpack(name, old);

        Restore.Report report = Restore.check(old).into(data);

        assertThat(report.attached()).isEmpty();
        try (GoldenNode golden = GoldenNode.open(data, directory.resolve("package"))) {
            assertThat(golden.contents()).isEqualTo(GoldenData.expected(name));
        }
        assertThat(Files.exists(old.resolve("backup"))).isTrue();
    }

    private static void checkAll(LogFiles files) throws IOException {
        try (LogFiles.LogFile file = files.open(ATTACHED)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            assertThat(bytes.array()).isEqualTo(ATTACHED_BYTES);
        }
        try (NodeFixture node = StoredMails.open(files)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                assertThat(StoredMails.title(node, StoredMails.id("group" + i % 7, i)))
                        .contains("mail " + i);
            }
        }
    }
}
