package org.crabro.content;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.FileTransfer;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.partition.BackupMoment;
import org.crabro.content.recent.DocumentStore;

/**
 * Makes a copy of all data while it is served: runs never change, so another name for each is
 * enough where the file system has such.
 *
 * <p>The version is written first and says that this is a backup; the list of all files is written
 * last. Without the list, or with a file fewer than it names, nobody takes the directory for data:
 * neither what a crash left of a backup, nor half a copy of a whole one.
 */
final class Backup {
    /** What a directory may hold that a backup goes to: our own lock. */
    private static final String LOCK = "lock";

    private Backup() {}

    /**
     * Writes a backup; durable when this returns. Attachments are copied first, so that what they
     * say about the documents is never newer than the documents in the backup.
     *
     * @param transfer to an empty target
     * @throws BackupRefusedException if it is not empty
     * @throws IOException if the backup could not be made; what is in the target then is refused by
     *     whoever opens it
     */
    static BackupReport run(
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
     * Checks that no run is set aside. A restore would refuse the backup, when it is too late to
     * make another.
     */
    static void refuseDamaged(DocumentStore store) throws BackupRefusedException {
        List<Damage> damage = store.setAside();
        if (!damage.isEmpty()) {
            throw new BackupRefusedException(
                    "a run is set aside, and a backup with it could not be restored: %s. Put the file back and start again, or go on without it: 'crabro rebuild-manifest'"
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
