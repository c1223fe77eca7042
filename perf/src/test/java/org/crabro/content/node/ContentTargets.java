package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.content.storage.backup.BackupList;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.perf.fuzz.FuzzTarget;

/** The lists of backups, and the versions of data directories. */
public final class ContentTargets {
    private static final int PARTITIONS = 4;

    private ContentTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("backup-lists", ContentTargets::backup, IOException.class),
                FuzzTarget.ofText("data-versions", ContentTargets::version, IOException.class));
    }

    /**
     * Adds the right checksum, and checks that a parsed list is written as a list that parses to
     * the same.
     */
    private static void backup(String text) throws IOException {
        var crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        LogFiles files = with(BackupList.PATH, text + "crc %08x\n".formatted(crc.getValue()));
        Optional<BackupList> list = BackupList.read(files);
        if (list.isPresent()) {
            list.get().problems(files);
            var written = new MemoryLogFiles();
            list.get().write(written);
            if (!BackupList.read(written).equals(list)) {
                throw new AssertionError(list.get() + " reads back as " + BackupList.read(written));
            }
        }
    }

    /** Checks that a version that was accepted once is accepted again. */
    private static void version(String text) throws IOException {
        LogFiles files = with("version", text);
        DataVersion.check(files, PARTITIONS);
        DataVersion.check(files, PARTITIONS);
        if (DataVersion.partitions(files) != PARTITIONS) {
            throw new AssertionError("other partitions");
        }
    }

    private static LogFiles with(String path, String text) throws IOException {
        var files = new MemoryLogFiles();
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(text.getBytes(US_ASCII)), 0);
        }
        return files;
    }
}
