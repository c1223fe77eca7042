package org.crabro.content;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.MappedLogFiles;
import org.crabro.content.recent.JournalCut;

/** Looks at the journal of a data directory that no node uses, and cuts away what is damaged. */
public final class JournalRepair {
    private JournalRepair() {}

    /**
     * Tells what is left of the journal, and what is lost.
     *
     * @param isCut whether to go on without what is lost: then a node starts again
     * @throws IOException if a node uses the directory, or it is no data of this format
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
