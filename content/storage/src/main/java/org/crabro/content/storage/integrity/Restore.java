package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.crabro.content.storage.backup.AttachedFile;
import org.crabro.content.storage.backup.Backup;
import org.crabro.content.storage.backup.BackupList;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.journal.ReadOnlyLogFiles;

/**
 * Installs a backup into an empty directory, after every file of it was checked.
 *
 * <p>The version is written first and the list of files last, as in {@link Backup}: a node refuses
 * a directory with an incomplete restore.
 */
public final class Restore {
    private static final String LOCK = "lock";
    private static final int DAMAGE_TOLD = 10;

    private final LogFiles backup;
    private final int partitions;
    private final BackupList list;

    private Restore(LogFiles backup, int partitions, BackupList list) {
        this.backup = backup;
        this.partitions = partitions;
        this.list = list;
    }

    /**
     * The result of a restore.
     *
     * @param begun all writes that were acknowledged before are included
     * @param files the number of files
     * @param bytes their total size
     * @param attached the paths of the attachments
     */
    public record Report(Instant begun, long files, long bytes, List<String> attached) {
        public Report {
            attached = List.copyOf(attached);
        }
    }

    /**
     * Checks a backup: that every file of it exists, and every checksum. This reads all bytes.
     *
     * @throws IOException if the directory is not a complete backup of a format that this program
     *     can read; the message names the first damaged files
     */
    public static Restore check(Path backup) throws IOException {
        if (!Files.isDirectory(backup)) {
            throw new IOException("'%s' is not a backup: it is not a directory".formatted(backup));
        }
        return check(new ReadOnlyLogFiles(backup));
    }

    /** Checks the backup in {@code backup}. */
    public static Restore check(LogFiles backup) throws IOException {
        if (!DataVersion.isIn(backup)) {
            throw new IOException("the directory is not a backup: it has no file 'version'");
        }
        int partitions = DataVersion.partitions(backup);
        if (!DataVersion.isBackup(backup)) {
            throw new IOException("the directory is not a backup: its 'version' marks it as data");
        }
        BackupList list =
                BackupList.read(backup)
                        .orElseThrow(() ->
                                new IOException(
                                        "the backup is incomplete: its file '"
                                                + BackupList.PATH
                                                + "' is missing or damaged"));
        var damage = new DamageList();
        if (list.partitions().size() != partitions) {
            damage.damage(
                    new Damage(
                            "version",
                            0,
                            list.partitions().size() + " partitions, as in the list",
                            partitions + " partitions"));
        } else {
            Inspection.run(backup, new Inspection.Options(true, false, 0), damage);
        }
        if (!damage.damages().isEmpty()) {
            throw new IOException(
                    "the backup is damaged in %d places:\n%s"
                            .formatted(
                                    damage.damages().size(),
                                    damage.damages().stream()
                                            .limit(DAMAGE_TOLD)
                                            .map(each -> "  " + each)
                                            .collect(Collectors.joining("\n"))));
        }
        return new Restore(backup, partitions, list);
    }

    /**
     * Copies the backup, and returns when the copy is durable.
     *
     * @param directory for a node: empty, or created with its parent directories
     * @throws IOException if it is not empty, or the copy failed. After a failed copy, nodes and
     *     restores refuse the directory
     */
    public Report into(Path directory) throws IOException {
        try (var target = new MappedLogFiles(directory)) {
            return into(target);
        }
    }

    /** Copies the backup into {@code target}. */
    public Report into(LogFiles target) throws IOException {
        refuseFiles(target);
        long bytes =
                list.files().stream().mapToLong(FileTransfer.Brought::bytes).sum()
                        + list.attached().stream().mapToLong(AttachedFile::bytes).sum();
        long free = target.freeBytes();
        if (free < bytes) {
            throw new IOException(
                    "the backup has %,d bytes, but the disk of the data directory has only %,d free"
                            .formatted(bytes, free));
        }
        DataVersion.beginBackup(target, partitions);
        var transfer = new FileTransfer(backup, target, () -> false);
        Set<String> directories = new TreeSet<>();
        for (String path : paths()) {
            transfer.bring(path);
            directories.add(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
        }
        for (String directory : directories) {
            target.forceDirectory(directory);
        }
        list.write(target);
        return new Report(
                list.begun(),
                transfer.brought().size(),
                bytes,
                list.attached().stream().map(AttachedFile::path).toList());
    }

    private Set<String> paths() {
        Set<String> paths = new TreeSet<>();
        list.files().forEach(file -> paths.add(file.file()));
        list.attached().forEach(file -> paths.add(file.path()));
        return paths;
    }

    /**
     * Throws if {@code directory} has files.
     *
     * @throws IOException if it has files; the message states whether a restore left them
     */
    public static void refuseFiles(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            refuseFiles(new ReadOnlyLogFiles(directory));
        } else if (Files.exists(directory)) {
            throw new IOException("'%s' is not a directory".formatted(directory));
        }
    }

    private static void refuseFiles(LogFiles target) throws IOException {
        for (String name : target.list("")) {
            if (name.equals(LOCK)) {
                continue;
            }
            if (DataVersion.isIn(target)
                    && DataVersion.isBackup(target)
                    && BackupList.read(target).isEmpty()) {
                throw new IOException(
                        "a restore into this directory did not finish: delete the directory, then"
                                + " restore again");
            }
            throw new IOException(
                    "the directory of the documents is not empty: it has '%s'".formatted(name));
        }
    }
}
