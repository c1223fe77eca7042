package org.crabro.content.storage.partition;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.manifest.ManifestSnapshot;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunEntry;

/**
 * Copies the log of a partition into a backup: its runs, and a manifest of one moment.
 *
 * <p>The log continues meanwhile. If a merge deletes a run before it was copied, the backup starts
 * again from a later moment.
 */
final class PartitionBackup {
    /** A merge takes seconds and a transfer far less time, so this many failures indicate a bug. */
    private static final int TRIES = 1_000;

    private PartitionBackup() {}

    /**
     * Returns when the backup is durable.
     *
     * @param now returns the current state of the manifest
     */
    static BackupMoment write(String directory, Supplier<ManifestState> now, FileTransfer transfer)
            throws IOException {
        Set<String> brought = new HashSet<>();
        for (int tries = 0; tries < TRIES; tries++) {
            ManifestState state = now.get();
            if (bring(directory, state, now, transfer, brought)) {
                state.runs().forEach(run -> brought.remove(path(directory, run)));
                for (String mergedAway : brought) {
                    transfer.takeBack(mergedAway);
                }
                for (String path : ManifestSnapshot.write(transfer.target(), directory, state)) {
                    transfer.note(path);
                }
                transfer.target().forceDirectory(directory);
                return new BackupMoment(state.covered(), state.lastTimestamp());
            }
        }
        throw new IOException(directory + " changes faster than it can be copied");
    }

    /** Transfers the runs of {@code state}; returns whether every run still existed. */
    private static boolean bring(
            String directory,
            ManifestState state,
            Supplier<ManifestState> now,
            FileTransfer transfer,
            Set<String> brought)
            throws IOException {
        for (RunEntry run : state.runs()) {
            String path = path(directory, run);
            if (brought.contains(path)) {
                continue;
            }
            try {
                transfer.bring(path);
                brought.add(path);
            } catch (NoSuchFileException e) {
                if (names(now.get(), run)) {
                    throw e;
                }
                return false;
            }
        }
        return true;
    }

    private static boolean names(ManifestState state, RunEntry run) {
        return state.runs().stream().anyMatch(each -> each.number() == run.number());
    }

    private static String path(String directory, RunEntry run) {
        return directory + "/" + run.fileName();
    }
}
