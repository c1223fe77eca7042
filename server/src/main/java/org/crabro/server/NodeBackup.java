package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.container.admin.DataBackup;
import org.crabro.content.node.ContentNode;
import org.crabro.content.storage.backup.AttachmentWriter;
import org.crabro.content.storage.backup.BackupAttachments;
import org.crabro.content.storage.backup.BackupRefusedException;
import org.crabro.content.storage.backup.BackupReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the nodes of the same process make backups, which contain the active package, the register
 * of reindexing and the list of stores too. The backup of the first store contains those of the
 * further stores, and is complete last.
 *
 * @param register the file; the server replaces it in one step
 */
record NodeBackup(ContentStores stores, Path register) implements DataBackup {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBackup.class);

    @Override
    public Reply make(Path directory, PackageFiles packages) {
        for (int i = 1; i < stores.nodes().size(); i++) {
            if (stores.nodes().get(i).setAsideFiles() > 0) {
                return new Reply.Refused(
                        "a run of %s is set aside, and a backup with it could not be restored"
                                .formatted(DataFiles.storeIn(Path.of(""), i)));
            }
        }
        try {
            List<BackupReport> reports = new ArrayList<>();
            List<ContentNode> nodes = stores.nodes();
            reports.add(
                    nodes.getFirst()
                            .backup(
                                    directory,
                                    target -> {
                                        packages.copyTo((path, content) ->
                                                target.add(
                                                        DataFiles.PACKAGES + "/" + path, content));
                                        addFile(target, register, DataFiles.REGISTER);
                                        addFile(target, stores.file().path(), StorePlacesFile.NAME);
                                        for (int i = 1; i < nodes.size(); i++) {
                                            reports.add(
                                                    nodes.get(i)
                                                            .backup(
                                                                    DataFiles.storeIn(directory, i),
                                                                    BackupAttachments.NONE));
                                        }
                                    }));
            BackupReport report = reports.getLast();
            Amount amount = amount(reports);
            LOG.info(
                    "A backup of {} files was made in {}, {} bytes of {} were copied",
                    amount.files(),
                    directory,
                    amount.copiedBytes(),
                    amount.bytes());
            return new Reply.Made(
                    report.begun(),
                    report.ended(),
                    amount,
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

    /** Returns the amount of all stores. */
    private static Amount amount(List<BackupReport> reports) {
        return new Amount(
                reports.stream().mapToLong(each -> each.files().count()).sum(),
                reports.stream().mapToLong(each -> each.files().bytes()).sum(),
                reports.stream().mapToLong(each -> each.files().copiedBytes()).sum(),
                reports.stream().flatMap(each -> each.files().copyReason().stream()).findFirst());
    }

    /** Adds a file. It is read after the package, so it includes the changes of that package. */
    private static void addFile(AttachmentWriter target, Path file, String name)
            throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            target.add(name, content);
        } catch (NoSuchFileException _) {
            LOG.debug("The backup is without {}, which does not exist", file);
        }
    }
}
