package org.crabro.content.storage.backup;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.partition.BackupMoment;

/**
 * The content of a backup.
 *
 * @param begun all writes that were acknowledged before are included
 * @param ended when it was complete
 * @param partitions the moment of each, by number
 * @param files the files of the backup
 */
public record BackupReport(
        Instant begun, Instant ended, List<BackupMoment> partitions, BackupFiles files) {
    /**
     * The files of a backup.
     *
     * @param count the number of files
     * @param bytes their total size
     * @param copiedBytes the size of the copied files; the others are hard links
     * @param copyReason why runs or types were copied; empty if they were linked. Attachments are
     *     always copied
     */
    public record BackupFiles(
            long count, long bytes, long copiedBytes, Optional<String> copyReason) {}

    public BackupReport {
        partitions = List.copyOf(partitions);
    }
}
