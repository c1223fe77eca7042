package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.backup.BackupList;
import org.crabro.content.storage.backup.DataVersion;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.ReadOnlyLogFiles;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.StoredFiles;
import org.crabro.content.storage.store.TypeSummary;

/**
 * Inspects a data directory: its content, and whether all bytes are as written. Changes nothing,
 * and a node may be using the directory. Damage is reported, and the inspection continues.
 *
 * {@snippet :
 * Inspection.run(Path.of("crabro-data/content-data"), new Inspection.Options(true, false, 10), report);
 * }
 */
public final class Inspection {
    private Inspection() {}

    /**
     * The options of an inspection.
     *
     * @param verifies whether every checksum is checked, which reads all bytes
     * @param tellsBlocks whether each block is reported
     * @param groups the number of the largest groups to report; 0 for none, which is faster
     */
    public record Options(boolean verifies, boolean tellsBlocks, int groups) {
        /** The maximum number of reported groups. */
        public static final int GROUPS_MAX = 100_000;

        public Options {
            if (groups < 0 || groups > GROUPS_MAX) {
                throw new IllegalArgumentException(
                        "groups is %d, expected 0 to %d".formatted(groups, GROUPS_MAX));
            }
        }
    }

    /**
     * Inspects {@code directory}, and passes the findings to {@code report}.
     *
     * @throws IOException if it is not a data directory of a format that this program can read, or
     *     if the report throws it
     */
    public static void run(Path directory, Options options, InspectionReport report)
            throws IOException {
        run(new ReadOnlyLogFiles(directory), options, report);
    }

    /** Inspects {@code files}, and passes the findings to {@code report}. */
    public static void run(LogFiles files, Options options, InspectionReport report)
            throws IOException {
        int partitions = DataVersion.partitions(files);
        report.data(DataVersion.FORMAT, partitions);

        if (DataVersion.isBackup(files)) {
            inspectList(files, report);
        }
        List<TypeSummary> types = new ArrayList<>();
        List<Damage> damage = new ArrayList<>();
        StoredFiles stored = StoredFiles.open(files, types::add, damage::add);
        for (TypeSummary type : types) {
            report.type(type);
        }
        for (Damage each : damage) {
            report.damage(each);
        }
        LostFiles.Total lost = LostFiles.total(files);
        if (lost.files() > 0) {
            report.lostFiles(lost);
        }
        stored.scanJournal(partitions, report);

        var columns = new ColumnTotals();
        var groups = new LargestGroups(options.groups());
        var ofPartitions =
                new PartitionInspection.Options(options.verifies(), options.tellsBlocks());
        for (int partition = 0; partition < partitions; partition++) {
            new PartitionInspection(
                            files,
                            partition,
                            DocumentStore.directory(partition),
                            stored,
                            ofPartitions,
                            report)
                    .run(columns, groups);
        }
        for (ColumnSummary column : columns.columns()) {
            report.column(column);
        }
        if (options.groups() > 0) {
            report.groups(groups.count());
            for (GroupSummary group : groups.groups()) {
                report.group(group);
            }
        }
    }

    private static void inspectList(LogFiles files, InspectionReport report) throws IOException {
        Optional<BackupList> list = BackupList.read(files);
        if (list.isEmpty()) {
            report.damage(
                    new Damage(
                            BackupList.PATH,
                            0,
                            "the list of a complete backup",
                            "no complete list"));
            return;
        }
        for (Damage each : list.get().problems(files)) {
            report.damage(each);
        }
    }
}
