package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** Files that users import. */
public final class ImportTargets {
    private static final int ROWS_MAX = 1_000;

    private ImportTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("parquet-files", ImportTargets::parquet, IOException.class)
                        .slow());
    }

    /** What passes the check of its bounds is read by the library, or rejected. */
    private static void parquet(byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file = directory.write("a.parquet", bytes);
            try (RecordReader records = ImportSource.of(file).open()) {
                for (int row = 0; row < ROWS_MAX && records.next().isPresent(); row++) {
                    // Each row is read.
                }
            }
        }
    }
}
