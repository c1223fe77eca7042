package org.crabro.container.reindex;

import java.io.IOException;
import java.util.List;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** The file with the state of reindexing. */
public final class ReindexTargets {
    private ReindexTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("reindex-files", ReindexTargets::read, IOException.class)
                        .slow());
    }

    /** Checks that a parsed file is written as a file that parses to the same. */
    private static void read(byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            var file = new ReindexFile(directory.write("reindexing", bytes));
            ReindexFile.Contents contents = file.read();
            file.write(contents);
            if (!file.read().equals(contents)) {
                throw new AssertionError(contents + " reads back as " + file.read());
            }
        }
    }
}
