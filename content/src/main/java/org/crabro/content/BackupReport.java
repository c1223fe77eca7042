package org.crabro.content;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.crabro.content.partition.BackupMoment;

/**
 * What a backup holds.
 *
 * @param begun everything that was acknowledged before is in it
 * @param ended when it was complete
 * @param partitions the moment of each, by number
 * @param files the files of the backup
 */
public record BackupReport(
        Instant begun, Instant ended, List<BackupMoment> partitions, BackupFiles files) {
    /**
     * Files of a backup.
     *
     * @param count how many there are
     * @param bytes of all of them
     * @param copiedBytes of those that were copied; the others are hard links
     * @param copyReason why runs or types were copied, or nothing; attachments always are
     */
    public record BackupFiles(
            long count, long bytes, long copiedBytes, Optional<String> copyReason) {}

    public BackupReport {
        partitions = List.copyOf(partitions);
    }
}
