package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.awaitility.core.ConditionFactory;
import org.crabro.content.storage.backup.BackupAttachments;
import org.crabro.content.storage.backup.BackupList;
import org.crabro.content.storage.backup.BackupReport;
import org.crabro.content.storage.integrity.Inspection;
import org.crabro.content.storage.integrity.Restore;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int DOCUMENTS = 40;

    /** Files of a package, with names that a list has to encode. */
    private static final Map<String, String> ATTACHED =
            Map.of(
                    "packages/7/schemas/mail.sd", "schema mail {}",
                    "packages/7/files/größer + 100%.txt", "text\n",
                    "packages/7/files/empty", "",
                    "reindexing.properties", "types=0\n");

    private static final BackupAttachments ATTACHMENTS =
            target -> {
                for (Map.Entry<String, String> file : ATTACHED.entrySet()) {
                    target.add(file.getKey(), new ByteArrayInputStream(bytes(file.getValue())));
                }
            };

    @TempDir Path directory;

    @Test
    void restoresWhatWasAcknowledgedWhenItBeganWhileOthersWrite() throws IOException {
        Path data = directory.resolve("data");
        Path backup = directory.resolve("backup");
        var started = new AtomicIntegerArray(DOCUMENTS);
        var acknowledged = new AtomicIntegerArray(DOCUMENTS);
        int[] least;
        int[] most;
        BackupReport report;
        try (NodeFixture node = StoredMails.open(data)) {
            var isDone = new AtomicBoolean();
            var writers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < 4; i++) {
                int first = i;
                writers.add(
                        CompletableFuture.runAsync(
                                () -> write(node, first, started, acknowledged, isDone)));
            }
            try {
                EVENTUALLY.untilAsserted(
                        () -> assertThat(acknowledged.get(0)).isGreaterThanOrEqualTo(3));
                node.flush();
                EVENTUALLY.untilAsserted(
                        () -> assertThat(acknowledged.get(0)).isGreaterThanOrEqualTo(6));
                least = copy(acknowledged);
                report = node.node().backup(backup, ATTACHMENTS);
                most = copy(started);
            } finally {
                isDone.set(true);
                writers.forEach(CompletableFuture::join);
            }
        }
        Path restored = directory.resolve("restored");
        copy(backup, restored);

        assertThat(damage(restored)).isZero();
        int count = 0;
        try (NodeFixture node = StoredMails.open(restored)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                int version = version(node, i);
                assertThat(version).as("document %d", i).isBetween(least[i], most[i]);
                count += version > 0 ? 1 : 0;
            }
            assertThat(node.node().statistics().held().documents()).isEqualTo(count);
            StoredMails.put(node, "anna", 0, "a new one");
            assertThat(StoredMails.title(node, StoredMails.id("anna", 0))).contains("a new one");
        }
        assertThat(report.partitions()).hasSize(2);
        assertThat(report.files().copiedBytes())
                .isEqualTo(ATTACHED.values().stream().mapToInt(text -> bytes(text).length).sum());
        assertThat(report.ended()).isAfterOrEqualTo(report.begun());
        try (NodeFixture again = StoredMails.open(restored)) {
            assertThat(StoredMails.title(again, StoredMails.id("anna", 0))).contains("a new one");
        }
    }

    @Test
    void linksRunsAndCopiesNothingThatChanges() throws IOException {
        Path data = directory.resolve("data");
        Path backup = directory.resolve("backup");
        try (NodeFixture node = StoredMails.open(data)) {
            StoredMails.put(node, "anna", 0, "1");

            node.node().backup(backup, BackupAttachments.NONE);
            StoredMails.put(node, "anna", 0, "2");
            node.flush();

            int runs = 0;
            for (Path file : files(backup)) {
                boolean isRun = file.toString().endsWith(".run");
                Path same = data.resolve(backup.relativize(file));
                boolean isLinked = Files.exists(same) && Files.isSameFile(file, same);
                assertThat(isLinked)
                        .as(file.toString())
                        .isEqualTo(isRun || file.toString().contains("schemas"));
                runs += isRun ? 1 : 0;
            }
            assertThat(runs).isEqualTo(1);
        }
        try (NodeFixture restored = StoredMails.open(backup)) {
            assertThat(StoredMails.title(restored, StoredMails.id("anna", 0))).contains("1");
        }
    }

    @Test
    void containsAttachments() throws IOException {
        Path backup = directory.resolve("backup");
        try (NodeFixture node = StoredMails.open(directory.resolve("data"))) {
            node.node().backup(backup, ATTACHMENTS);
        }

        for (Map.Entry<String, String> file : ATTACHED.entrySet()) {
            assertThat(backup.resolve(file.getKey())).hasContent(file.getValue());
        }
    }

    /** A package may have secrets. Its files are inside directories of mode 0700. */
    @Test
    void canBeOpenedByItsUserAlone() throws IOException {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (NodeFixture node = StoredMails.open(directory.resolve("data"))) {
            node.node().backup(backup, ATTACHMENTS);
        }

        Restore.check(backup).into(restored);

        for (Path root : List.of(backup, restored)) {
            try (Stream<Path> files = Files.walk(root)) {
                assertThat(files.filter(Files::isDirectory).toList())
                        .contains(root.resolve("packages"))
                        .allSatisfy(each ->
                                assertThat(
                                                PosixFilePermissions.toString(
                                                        Files.getPosixFilePermissions(each)))
                                        .isEqualTo("rwx------"));
            }
        }
    }

    @Test
    void namesAnAttachmentWhoseBytesChanged() throws IOException {
        Path backup = directory.resolve("backup");
        try (NodeFixture node = StoredMails.open(directory.resolve("data"))) {
            node.node().backup(backup, ATTACHMENTS);
        }
        Path changed = backup.resolve("packages/7/schemas/mail.sd");
        Files.writeString(changed, "schema male {}");

        assertThatIOException()
                .isThrownBy(() -> StoredMails.open(backup))
                .withMessageContaining("packages/7/schemas/mail.sd at byte 0: expected crc-32c");
        assertThat(damage(backup)).isEqualTo(1);
    }

    @Test
    void refusesABackupOfANewerFormat() throws IOException {
        Path backup = directory.resolve("backup");
        try (NodeFixture node = StoredMails.open(directory.resolve("data"))) {
            node.node().backup(backup, ATTACHMENTS);
        }
        raiseFormat(backup);

        assertThatIOException()
                .isThrownBy(() -> StoredMails.open(backup))
                .withMessage(
                        "the backup was written in format 3 by a newer version; this one reads"
                                + " formats up to 2");
    }

    @Test
    void refusesATargetThatHoldsFilesOrLiesInTheData() throws IOException {
        Path data = directory.resolve("data");
        Path backup = Files.createDirectories(directory.resolve("backup"));
        Files.writeString(backup.resolve("mine"), "mine");
        try (NodeFixture node = StoredMails.open(data)) {
            assertThatIOException()
                    .isThrownBy(() -> node.node().backup(backup, ATTACHMENTS))
                    .withMessageStartingWith("the directory for the backup is not empty: ");
            assertThatIOException()
                    .isThrownBy(() ->
                            node.node().backup(data.resolve("journal/../backup"), ATTACHMENTS))
                    .withMessageStartingWith("the directory for the backup is in that of the data");
        }
        assertThat(files(backup)).containsExactly(backup.resolve("mine"));
        assertThat(data.resolve("backup")).doesNotExist();
    }

    @Test
    void refusesACopyThatLacksAnyFile() throws IOException {
        Path backup = directory.resolve("backup");
        try (NodeFixture node = StoredMails.open(directory.resolve("data"))) {
            writeAll(node, 1);
            node.node().backup(backup, ATTACHMENTS);
        }
        List<Path> files = files(backup);
        assertThat(files).hasSizeGreaterThan(8);

        for (int i = 0; i < files.size(); i++) {
            Path file = backup.relativize(files.get(i));
            if (file.toString().equals("lock")) {
                continue;
            }
            Path missing = directory.resolve("missing" + i);
            copy(backup, missing);
            Files.delete(missing.resolve(file));

            assertThatIOException()
                    .as(file.toString())
                    .isThrownBy(() -> StoredMails.open(missing))
                    .withMessageMatching(
                            "(?s)the directory (is an incomplete|contains an incomplete|has data).*");
            if (!file.toString().equals("version")) {
                assertThat(damage(missing)).as(file.toString()).isPositive();
            }
        }
    }

    @Test
    void copiesToFilesOfAnotherKindAndSaysWhy() throws IOException {
        var files = new MemoryLogFiles();
        var target = new MemoryLogFiles();
        try (NodeFixture node = StoredMails.open(files)) {
            writeAll(node, 7);

            BackupReport report = node.node().backup(target, ATTACHMENTS);

            assertThat(report.files().copyReason())
                    .contains("these files do not support hard links");
            assertThat(report.files().copiedBytes()).isPositive();
        }
        checkAll(target, 7);
    }

    @Test
    void isRefusedOrWholeAfterACrashAtAnyMoment() throws IOException {
        var files = new MemoryLogFiles();
        try (NodeFixture node = StoredMails.open(files)) {
            writeAll(node, 1);
            var whole = new FaultyLogFiles(new Random(SEED));
            node.node().backup(whole, ATTACHMENTS);
            int refused = 0;
            for (int stop = 1; stop <= whole.effects(); stop++) {
                var target = new FaultyLogFiles(new Random(SEED + stop));
                target.stopAfter(stop);
                assertThatIOException().isThrownBy(() -> node.node().backup(target, ATTACHMENTS));
                FaultyLogFiles left = target.afterCrash(FaultyLogFiles.Loss.SOME);
                boolean isWhole = BackupList.read(left).isPresent();
                if (isWhole) {
                    assertThat(BackupList.read(left).orElseThrow().problems(left)).isEmpty();
                    checkAll(left, 1);
                } else if (!left.list("").isEmpty() && left.names().keySet().size() > 1) {
                    refused++;
                    assertThatIOException()
                            .as("stopped after %d, seed %d", stop, SEED)
                            .isThrownBy(() -> StoredMails.open(left));
                }
            }
            assertThat(refused).isPositive();
        }
    }

    @Test
    void isTakenOverWholeAfterACrashAtAnyMoment() throws IOException {
        var files = new MemoryLogFiles();
        try (NodeFixture node = StoredMails.open(files)) {
            writeAll(node, 1);
            for (int stop = 1; ; stop++) {
                var target = new FaultyLogFiles(new Random(SEED + stop));
                node.node().backup(target, ATTACHMENTS);
                target.stopAfter(stop);
                try (NodeFixture restored = StoredMails.open(target)) {
                    assertThat(target.hasStopped()).isFalse();
                    assertThat(version(restored, 0)).isEqualTo(1);
                    break;
                } catch (IOException | java.io.UncheckedIOException e) {
                    checkAll(target.afterCrash(FaultyLogFiles.Loss.SOME), 1);
                }
            }
        }
    }

    @Test
    void leavesNothingOpenWhereItFails() throws IOException {
        var files = new FaultyLogFiles(new Random(SEED));
        try (NodeFixture node = StoredMails.open(files)) {
            writeAll(node, 1);
            node.flush();
            int open = files.openFiles();
            var target = new FaultyLogFiles(new Random(SEED));
            target.limitCapacity(2_000);

            assertThatIOException().isThrownBy(() -> node.node().backup(target, ATTACHMENTS));

            assertThat(files.openFiles()).isEqualTo(open);
            target.checkNothingIsLeft();
        }
    }

    /** Changes the list of a backup to the next format, with the correct checksum. */
    private static void raiseFormat(Path backup) throws IOException {
        Path list = backup.resolve(BackupList.PATH);
        String text = Files.readString(list).replace("format 2", "format 3");
        String lines = text.substring(0, text.lastIndexOf("crc "));
        var crc = new CRC32C();
        crc.update(bytes(lines));
        Files.writeString(list, lines + "crc %08x\n".formatted(crc.getValue()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void write(
            NodeFixture node,
            int first,
            AtomicIntegerArray started,
            AtomicIntegerArray acknowledged,
            AtomicBoolean isDone) {
        for (int version = 1; !isDone.get(); version++) {
            for (int i = first; i < DOCUMENTS && !isDone.get(); i += 4) {
                started.set(i, version);
                StoredMails.put(node, "group" + i % 7, i, Integer.toString(version));
                acknowledged.set(i, version);
            }
        }
    }

    private static int version(NodeFixture node, int number) {
        return StoredMails.title(node, StoredMails.id("group" + number % 7, number))
                .map(Integer::parseInt)
                .orElse(0);
    }

    private static void writeAll(NodeFixture node, int version) {
        for (int i = 0; i < DOCUMENTS; i++) {
            StoredMails.put(node, "group" + i % 7, i, Integer.toString(version));
        }
    }

    private static void checkAll(LogFiles files, int version) throws IOException {
        try (NodeFixture node = StoredMails.open(files)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                assertThat(version(node, i)).isEqualTo(version);
            }
        }
    }

    private static long damage(Path data) throws IOException {
        var inspected = new InspectionTest.Inspected();
        Inspection.run(data, new Inspection.Options(true, false, 0), inspected);
        return inspected.damage.size();
    }

    private static int[] copy(AtomicIntegerArray array) {
        var copy = new int[array.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = array.get(i);
        }
        return copy;
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path copied = to.resolve(from.relativize(file));
            Files.createDirectories(copied.resolve(".."));
            Files.copy(file, copied);
        }
    }
}
