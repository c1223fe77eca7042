package org.crabro.content;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.integrity.ColumnSummary;
import org.crabro.content.integrity.ColumnTotals;
import org.crabro.content.integrity.GroupSummary;
import org.crabro.content.integrity.LargestGroups;
import org.crabro.content.integrity.PartitionInspection;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.journal.ReadOnlyLogFiles;
import org.crabro.content.recent.DocumentStore;
import org.crabro.content.recent.StoredFiles;
import org.crabro.content.recent.TypeSummary;

/**
 * Looks at a data directory: what is in it, and whether all of it is as it was written. Nothing is
 * changed, and a node may be using the directory. What is damaged is told, and the rest is looked
 * at all the same.
 *
 * {@snippet :
 * Inspection.run(Path.of("crabro-data/content-data"), new Inspection.Options(true, false, 10), report);
 * }
 */
public final class Inspection {
    private Inspection() {}

    /**
     * What is wanted.
     *
     * @param verifies whether every checksum is checked, which reads everything
     * @param tellsBlocks whether each block is told of
     * @param groups how many of the largest groups are told of; 0 for none, which saves looking
     */
    public record Options(boolean verifies, boolean tellsBlocks, int groups) {
        /** The most groups that are told of. */
        public static final int GROUPS_MAX = 100_000;

        public Options {
            if (groups < 0 || groups > GROUPS_MAX) {
                throw new IllegalArgumentException(
                        "groups is %d, expected 0 to %d".formatted(groups, GROUPS_MAX));
            }
        }
    }

    /**
     * Tells {@code report} of everything in {@code directory}.
     *
     * @throws IOException if it is no data directory of a format that this program reads, or the
     *     report throws it
     */
    public static void run(Path directory, Options options, InspectionReport report)
            throws IOException {
        run(new ReadOnlyLogFiles(directory), options, report);
    }

    /** Tells {@code report} of everything in {@code files}. */
    static void run(LogFiles files, Options options, InspectionReport report) throws IOException {
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
                            "the list that ends a backup",
                            "none that is whole"));
            return;
        }
        for (Damage each : list.get().problems(files)) {
            report.damage(each);
        }
    }
}
