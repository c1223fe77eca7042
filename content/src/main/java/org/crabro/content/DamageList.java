package org.crabro.content;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.integrity.BlockSummary;
import org.crabro.content.integrity.ColumnSummary;
import org.crabro.content.integrity.GroupSummary;
import org.crabro.content.integrity.PartitionSummary;
import org.crabro.content.integrity.RunSummary;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.journal.SegmentSummary;
import org.crabro.content.recent.TypeSummary;

/** Collects the damage that an inspection reports, and ignores its other findings. */
final class DamageList implements InspectionReport {
    private final List<Damage> found = new ArrayList<>();

    List<Damage> found() {
        return List.copyOf(found);
    }

    @Override
    public void damage(Damage damage) {
        found.add(damage);
    }

    @Override
    public void data(int format, int partitions) {}

    @Override
    public void type(TypeSummary type) {}

    @Override
    public void lostFiles(LostFiles.Total total) {}

    @Override
    public void segment(SegmentSummary segment) {}

    @Override
    public void partition(PartitionSummary partition) {}

    @Override
    public void run(RunSummary run) {}

    @Override
    public void block(BlockSummary block) {}

    @Override
    public void column(ColumnSummary column) {}

    @Override
    public void groups(long count) {}

    @Override
    public void group(GroupSummary group) {}
}
