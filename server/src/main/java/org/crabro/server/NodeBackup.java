package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.crabro.container.admin.DataBackup;
import org.crabro.content.BackupAttachments;
import org.crabro.content.BackupRefusedException;
import org.crabro.content.BackupReport;
import org.crabro.content.ContentNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the node of the same process make backups, which contain the active package and the register
 * of reindexing too.
 *
 * @param register the file; the server replaces it in one step
 */
record NodeBackup(ContentNode node, Path register) implements DataBackup {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBackup.class);

    @Override
    public Reply make(Path directory, PackageFiles packages) {
        try {
            BackupReport report =
                    node.backup(
                            directory,
                            target -> {
                                packages.copyTo((path, content) ->
                                        target.add(DataFiles.PACKAGES + "/" + path, content));
                                addRegister(target);
                            });
            LOG.info(
                    "A backup of {} files was made in {}, {} bytes of {} were copied",
                    report.files().count(),
                    directory,
                    report.files().copiedBytes(),
                    report.files().bytes());
            return new Reply.Made(
                    report.begun(),
                    report.ended(),
                    new Amount(
                            report.files().count(),
                            report.files().bytes(),
                            report.files().copiedBytes(),
                            report.files().copyReason()),
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

    /**
     * Adds the register. It is read after the package, so it includes the changes of that package.
     */
    private void addRegister(BackupAttachments.Target target) throws IOException {
        try (InputStream content = Files.newInputStream(register)) {
            target.add(DataFiles.REGISTER, content);
        } catch (NoSuchFileException _) {
            LOG.debug("No document was ever reindexed: there is no {}", register);
        }
    }
}
