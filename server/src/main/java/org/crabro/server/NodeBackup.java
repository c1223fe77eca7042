package org.crabro.server;

import java.io.IOException;
import java.nio.file.Path;
import org.crabro.container.admin.DataBackup;
import org.crabro.content.BackupRefusedException;
import org.crabro.content.BackupReport;
import org.crabro.content.ContentNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the node of the same process make backups. */
record NodeBackup(ContentNode node) implements DataBackup {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBackup.class);

    @Override
    public Reply make(Path directory) {
        try {
            BackupReport report = node.backup(directory);
            LOG.info(
                    "A backup of {} files was made in {}, {} bytes of {} were copied",
                    report.files(),
                    directory,
                    report.copiedBytes(),
                    report.bytes());
            return new Reply.Made(
                    report.begun(),
                    report.ended(),
                    report.files(),
                    report.bytes(),
                    report.copiedBytes(),
                    report.copyReason(),
                    report.partitions().stream()
                            .map(moment -> new Moment(moment.position(), moment.timestamp()))
                            .toList());
        } catch (BackupRefusedException e) {
            return new Reply.Refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("The backup in {} could not be made", directory, e);
            return new Reply.Failed(String.valueOf(e.getMessage()));
        }
    }
}
