package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.os.OwnThread;
import org.crabro.content.storage.store.JournalCut;
import org.crabro.content.storage.store.RecentSettings;

/** Inspects the journal of a data directory that no node uses, and cuts off the damaged part. */
public final class JournalRepair {
    private JournalRepair() {}

    /**
     * Reports the remaining and the lost records of the journal.
     *
     * @param isCut whether to write a new journal without the lost records, so that a node can
     *     start again
     * @throws IOException if a node uses the directory, or it is not data of this format
     */
    public static JournalCut.Report run(Path directory, boolean isCut) throws IOException {
        return OwnThread.call(
                "cut",
                () -> {
                    try (var files = new MappedLogFiles(directory)) {
                        return run(files, isCut);
                    }
                });
    }

    private static JournalCut.Report run(LogFiles files, boolean isCut) throws IOException {
        return JournalCut.run(
                files,
                DataVersion.partitions(files),
                RecentSettings.DEFAULT,
                InstantSource.system(),
                isCut);
    }
}
