package org.crabro.content.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.crabro.content.storage.backup.Backup;
import org.crabro.content.storage.backup.BackupAttachments;
import org.crabro.content.storage.backup.BackupRefusedException;
import org.crabro.content.storage.backup.BackupReport;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.os.OwnThread;
import org.crabro.content.storage.store.DocumentStore;

/** Makes backups of a node while it serves, one at a time. */
final class NodeBackups {
    private final NodePlace place;
    private final LogFiles files;
    private final DocumentStore store;
    private final RequestCount requests;
    private final InstantSource clock;
    private final ReentrantLock backingUp = new ReentrantLock();

    /**
     * @param requests a backup counts as a request: closing the node ends it
     */
    NodeBackups(
            NodePlace place,
            LogFiles files,
            DocumentStore store,
            RequestCount requests,
            InstantSource clock) {
        this.place = place;
        this.files = files;
        this.store = store;
        this.requests = requests;
        this.clock = clock;
    }

    /** See {@link ContentNode#backup(Path, BackupAttachments)}. */
    BackupReport backup(Path target, BackupAttachments attachments) throws IOException {
        Path directory = target.toAbsolutePath().normalize();
        if (directory.startsWith(place.directory().toAbsolutePath().normalize())) {
            throw new BackupRefusedException(
                    "the directory for the backup is in that of the data: " + directory);
        }
        if (Files.isDirectory(directory)) {
            refuseNonEmpty(directory);
        } else if (Files.exists(directory)) {
            throw new BackupRefusedException("it is not a directory: " + directory);
        }
        Backup.refuseDamaged(store);
        return OwnThread.call(
                "backup",
                () -> {
                    try (var targetFiles = new MappedLogFiles(directory)) {
                        return backup(targetFiles, attachments);
                    }
                });
    }

    private static void refuseNonEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            Optional<Path> some = entries.findFirst();
            if (some.isPresent()) {
                throw new BackupRefusedException(
                        "the directory for the backup is not empty: " + some.get());
            }
        }
    }

    /** Makes a backup in {@code target}. */
    BackupReport backup(LogFiles target, BackupAttachments attachments) throws IOException {
        if (!backingUp.tryLock()) {
            throw new BackupRefusedException("another backup is running");
        }
        try {
            if (!requests.tryBegin()) {
                throw new IOException(ContentNode.CLOSING);
            }
            try {
                var transfer = new FileTransfer(files, target, requests::isClosing);
                return Backup.run(store, transfer, attachments, place.partitions().count(), clock);
            } finally {
                requests.end();
            }
        } finally {
            backingUp.unlock();
        }
    }
}
