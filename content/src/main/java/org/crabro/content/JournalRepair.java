package org.crabro.content;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.MappedLogFiles;
import org.crabro.content.recent.JournalCut;

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
                        return run(files, directory, isCut);
                    }
                });
    }

    private static JournalCut.Report run(LogFiles files, Path directory, boolean isCut)
            throws IOException {
        return JournalCut.run(
                files,
                DataVersion.partitions(files),
                ContentSettings.in(directory).recent(),
                InstantSource.system(),
                isCut);
    }
}
