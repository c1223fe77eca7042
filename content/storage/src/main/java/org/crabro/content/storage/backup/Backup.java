package org.crabro.content.storage.backup;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.partition.BackupMoment;
import org.crabro.content.storage.store.DocumentStore;

/**
 * Copies all data while the node serves. Runs never change, so a hard link to each is enough if the
 * file system supports it.
 *
 * <p>The version file is written first and marks the directory as a backup; the list of all files
 * is written last. A directory without the list, or with fewer files than it lists, is not accepted
 * as data. This excludes the remains of a crashed backup, and incomplete copies of a complete one.
 */
public final class Backup {
    /** The only file that the target of a backup may contain: its own lock. */
    private static final String LOCK = "lock";

    private Backup() {}

    /**
     * Writes a backup; durable when this returns. Attachments are copied first, so that their
     * references to documents are never newer than the documents in the backup.
     *
     * @param transfer to an empty target
     * @throws BackupRefusedException if the target is not empty
     * @throws IOException if the backup failed; nodes and restores refuse the content of the target
     *     then
     */
    public static BackupReport run(
            DocumentStore store,
            FileTransfer transfer,
            BackupAttachments attachments,
            int partitions,
            InstantSource clock)
            throws IOException {
        LogFiles target = transfer.target();
        refuseOthersFiles(target);
        Instant begun = clock.instant();
        DataVersion.beginBackup(target, partitions);
        var attaching = new AttachmentWriter(target, transfer::isOver);
        attachments.addTo(attaching);
        List<AttachedFile> attached = attaching.end();
        List<BackupMoment> moments = store.backup(transfer);
        Instant ended = clock.instant();
        new BackupList(begun, ended, moments, transfer.brought(), attached).write(target);
        long attachedBytes = attached.stream().mapToLong(AttachedFile::bytes).sum();
        return new BackupReport(
                begun,
                ended,
                moments,
                new BackupReport.BackupFiles(
                        transfer.brought().size() + attached.size(),
                        transfer.brought().stream().mapToLong(FileTransfer.Brought::bytes).sum()
                                + attachedBytes,
                        transfer.copiedBytes() + attachedBytes,
                        transfer.reason()));
    }

    /**
     * Checks that no run is set aside: a restore would refuse such a backup, when it is too late to
     * make another.
     */
    public static void refuseDamaged(DocumentStore store) throws BackupRefusedException {
        List<Damage> damage = store.setAside();
        if (!damage.isEmpty()) {
            throw new BackupRefusedException(
                    "a run is set aside, and a backup with it could not be restored: %s. Restore the file and start again, or continue without it: 'crabro rebuild-manifest'"
                            .formatted(damage.getFirst()));
        }
    }

    private static void refuseOthersFiles(LogFiles target) throws IOException {
        for (String name : target.list("")) {
            if (!name.equals(LOCK)) {
                throw new BackupRefusedException(
                        "the directory for the backup is not empty: it has '%s'".formatted(name));
            }
        }
    }
}
