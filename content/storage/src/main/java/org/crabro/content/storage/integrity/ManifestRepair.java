package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.os.OwnThread;
import org.crabro.content.storage.partition.PartitionList;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.StoredFiles;

/** Inspects the partitions of a data directory that no node uses, and rebuilds lost manifests. */
public final class ManifestRepair {
    private ManifestRepair() {}

    /**
     * Reports the partitions that do not open, and the content of their runs.
     *
     * @param isDone whether to write a manifest of the runs in the directory of each
     * @return by the number of the partition
     * @throws IOException if a node uses the directory, or it is not data of this format
     */
    public static Map<Integer, ManifestRebuild.Report> run(Path directory, boolean isDone)
            throws IOException {
        return OwnThread.call(
                "rebuild",
                () -> {
                    try (var files = new MappedLogFiles(directory)) {
                        return run(files, isDone);
                    }
                });
    }

    static Map<Integer, ManifestRebuild.Report> run(LogFiles files, boolean isDone)
            throws IOException {
        int partitions = DataVersion.partitions(files);
        var list = PartitionList.open(files, partitions);
        var types = StoredFiles.open(files, _ -> {}, _ -> {});
        Map<Integer, ManifestRebuild.Report> reports = new TreeMap<>();
        for (int i = 0; i < partitions; i++) {
            String path = DocumentStore.directory(i);
            Optional<ManifestRebuild.Report> rebuilt =
                    ManifestRebuild.look(files, list, i, path, types);
            if (rebuilt.isPresent()) {
                reports.put(i, rebuilt.get());
                if (isDone) {
                    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                    ManifestRebuild.run(files, list, i, path, types, now);
                }
            }
        }
        return reports;
    }
}
