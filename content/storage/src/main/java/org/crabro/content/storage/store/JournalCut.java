package org.crabro.content.storage.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.journal.JournalSalvage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.partition.PartitionList;
import org.crabro.content.storage.partition.RunLog;

/**
 * Repairs a damaged journal if there is no backup: writes the readable records into runs, and
 * begins a new journal after them. It reports the loss first, because the operator has to decide.
 * No node may have the directory open.
 *
 * <p>A record is a whole row, so records after the damage are valid. But a document whose newest
 * version is lost shows an older version, and a removed document may reappear.
 *
 * <p>It may be stopped at any time and run again: it skips records that are already in runs.
 */
public final class JournalCut {
    /**
     * The remaining and the lost records.
     *
     * @param records the number of readable records that are in no run
     * @param lost records that cannot be read
     * @param partitions the partitions that a lost record may belong to; all others have it in runs
     */
    public record Report(long records, List<JournalSalvage.Gap> lost, List<Integer> partitions) {
        public Report {
            lost = List.copyOf(lost);
            partitions = List.copyOf(partitions);
        }
    }

    private final LogFiles files;
    private final RecentSettings settings;
    private final TypeFiles types;
    private final RecentBudget budget;
    private final List<Partition> partitions;

    private JournalCut(
            LogFiles files,
            RecentSettings settings,
            TypeFiles types,
            RecentBudget budget,
            List<Partition> partitions) {
        this.files = files;
        this.settings = settings;
        this.types = types;
        this.budget = budget;
        this.partitions = partitions;
    }

    /**
     * Reports the remaining and the lost records of the journal in {@code files}.
     *
     * @param isDone whether to cut the journal; otherwise no file is changed
     */
    public static Report run(
            LogFiles files,
            int partitionCount,
            RecentSettings settings,
            InstantSource clock,
            boolean isDone)
            throws IOException {
        TypeFiles types = TypeFiles.open(files);
        var budget = new RecentBudget(settings.recentBytes());
        List<Partition> partitions = new ArrayList<>();
        try {
            for (int i = 0; i < partitionCount; i++) {
                RunLog runs = RunLog.open(files, DocumentStore.directory(i), types);
                partitions.add(new Partition(i, runs, types, clock, budget));
            }
            long lastDurable = PartitionList.open(files, partitionCount).journal();
            return new JournalCut(files, settings, types, budget, partitions)
                    .run(lastDurable, isDone);
        } finally {
            for (Partition partition : partitions) {
                partition.close();
            }
        }
    }

    private Report run(long lastDurable, boolean isDone) throws IOException {
        long least = partitions.stream().mapToLong(Partition::covered).min().orElse(0);
        long most = partitions.stream().mapToLong(Partition::covered).max().orElse(0);
        most = Math.max(most, lastDurable);
        JournalSalvage salvage = JournalSalvage.of(files, DocumentStore.JOURNAL, least + 1, most);
        Report report = report(salvage);
        if (isDone) {
            salvage.replay(this::replay);
            for (Partition partition : partitions) {
                partition.cover(salvage.next() - 1);
            }
            salvage.delete();
            int segmentBytes = settings.journal().segmentBytes();
            try (SegmentedLog log =
                    SegmentedLog.beginBehind(
                            files, DocumentStore.JOURNAL, segmentBytes, salvage.next())) {
                // A journal without a batch would look like a lost journal.
                log.commit(List.of(JournalRecord.empty()));
            }
        }
        return report;
    }

    private Report report(JournalSalvage salvage) throws IOException {
        var left = new AtomicLong();
        salvage.replay((number, record) -> {
            JournalRecord.check(number, record);
            if (!JournalRecord.isEmpty(record) && number > partition(number, record).covered()) {
                left.incrementAndGet();
            }
        });
        List<Integer> hit = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            long covered = partitions.get(i).covered();
            if (salvage.gaps().stream().anyMatch(gap -> gap.last() > covered)) {
                hit.add(i);
            }
        }
        List<JournalSalvage.Gap> lost =
                salvage.gaps().stream()
                        .filter(gap ->
                                partitions.stream().anyMatch(each -> gap.last() > each.covered()))
                        .toList();
        return new Report(left.get(), lost, hit);
    }

    private Partition partition(long number, ByteBuffer record) throws IOException {
        int partition = JournalRecord.partition(record);
        if (partition >= partitions.size()) {
            throw new IOException(
                    "journal record %d is of partition %d, but there are %d partitions"
                            .formatted(number, partition, partitions.size()));
        }
        return partitions.get(partition);
    }

    private void replay(long number, ByteBuffer record) throws IOException {
        if (JournalRecord.isEmpty(record)) {
            return;
        }
        RecoveredStore.replay(partitions, types, number, record);
        while (budget.isExceeded()) {
            partitions.stream()
                    .max(Comparator.comparingLong(Partition::recentBytes))
                    .orElseThrow()
                    .flush();
        }
    }
}
