package org.crabro.content.storage.memtable;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.dead.RecentRemovedGroups;
import org.crabro.content.storage.dead.RemovedGroups;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Live rows of a group's moment in the younger table and the older, in this order, while the
 * younger replaces the document and replaces it again; then those of a second moment.
 */
@JCStressTest
@Description("A moment of a group shows a document once, in the older table or in the younger.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "before it was replaced")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "after it was replaced")
@Outcome(expect = Expect.FORBIDDEN, desc = "twice or not at all")
@State
public class GroupMomentStress {
    private static final RecentScope SCOPE =
            new RecentScope(StressedPartition.NOTE.name(), StressedPartition.RANGE);

    private final RecentBudget budget = new RecentBudget(1 << 30);
    private final RecentTable older =
            new RecentTable(Optional.empty(), budget, StressedPartition.TYPES);
    private final RecentTable younger =
            new RecentTable(Optional.of(older), budget, StressedPartition.TYPES);

    public GroupMomentStress() {
        older.add(List.of(StressedPartition.row(1)));
        older.freeze();
    }

    @Actor
    public void write() {
        younger.add(List.of(StressedPartition.row(2)));
        younger.add(List.of(StressedPartition.row(3)));
    }

    @Actor
    public void look(III_Result result) {
        Optional<RecentBlocks.Moment> young = younger.moment(SCOPE);
        int youngEnd = young.map(RecentBlocks.Moment::end).orElse(0);
        Optional<RecentBlocks.Moment> old = older.moment(SCOPE);
        result.r1 = liveRows(young, 0);
        result.r2 = liveRows(old, youngEnd);
        young.ifPresent(RecentBlocks.Moment::release);
        old.ifPresent(RecentBlocks.Moment::release);
    }

    @Arbiter
    public void end(III_Result result) {
        Optional<RecentBlocks.Moment> young = younger.moment(SCOPE);
        result.r3 = liveRows(young, 0);
        young.ifPresent(RecentBlocks.Moment::release);
        younger.release();
        older.release();
    }

    private static int liveRows(Optional<RecentBlocks.Moment> moment, int youngerEnd) {
        return moment.stream()
                .flatMap(each ->
                        each.blocks().stream()
                                .map(block ->
                                        block.slice(
                                                each.end(),
                                                youngerEnd,
                                                RecentRemovedGroups.NONE,
                                                RemovedGroups.NONE)))
                .mapToInt(slice -> slice.liveCount())
                .sum();
    }
}
