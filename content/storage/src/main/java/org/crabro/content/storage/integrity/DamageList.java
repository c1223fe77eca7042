package org.crabro.content.storage.integrity;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.SegmentSummary;
import org.crabro.content.storage.store.TypeSummary;

/** Collects the damage that an inspection reports, and ignores its other findings. */
final class DamageList implements InspectionReport {
    private final List<Damage> damages = new ArrayList<>();

    List<Damage> damages() {
        return List.copyOf(damages);
    }

    @Override
    public void damage(Damage damage) {
        damages.add(damage);
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
