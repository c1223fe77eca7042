package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.crabro.content.search.match.ScanReads;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.PlanRead;
import org.crabro.protocol.search.PlanScope;
import org.crabro.protocol.search.SearchReport;

/** Makes the plan of a search that is explained, after its last phase. */
final class NodePlans {
    private NodePlans() {}

    /**
     * Returns the plan.
     *
     * @param outcomes of all slices
     * @param matches the number of documents that match
     * @param report the report without the plan
     */
    static NodePlan of(
            SearchAttempt attempt,
            SliceOutcomes outcomes,
            ScanReads reads,
            long matches,
            SearchReport report) {
        return new NodePlan(
                new PlanScope(
                        attempt.plan().request().scope().partitions().size(),
                        attempt.slices().threads(),
                        report.coverage().total(),
                        matches),
                report.cost(),
                reads(attempt.slices(), outcomes, reads),
                attempt.plan().matcher().plan(),
                attempt.trace().phases());
    }

    private static List<PlanRead> reads(
            ScopeSlices slices, SliceOutcomes outcomes, ScanReads reads) {
        var all = new ArrayList<PlanRead>();
        PlanRead recent = documents(PlanRead.Place.RECENT, slices, outcomes, reads.recentBytes());
        PlanRead runs =
                documents(
                        PlanRead.Place.RUNS, slices, outcomes, reads.bytes() - reads.recentBytes());
        for (PlanRead each : List.of(recent, runs)) {
            if (each.blocks() + each.skippedBlocks() > 0) {
                all.add(each);
            }
        }
        if (reads.cachedBlocks() > 0) {
            all.add(
                    new PlanRead(
                            PlanRead.Place.CACHE,
                            0,
                            reads.cachedBlocks(),
                            0,
                            0,
                            reads.cachedBytes()));
        }
        return all;
    }

    private static PlanRead documents(
            PlanRead.Place place, ScopeSlices slices, SliceOutcomes outcomes, long bytes) {
        Set<String> runs = new HashSet<>();
        long blocks = 0;
        long skipped = 0;
        long rows = 0;
        for (int i = 0; i < slices.count(); i++) {
            BlockSlice slice = slices.list().get(i);
            String run = slice.block().file().orElse("");
            if (run.isEmpty() != (place == PlanRead.Place.RECENT)) {
                continue;
            }
            runs.add(run);
            boolean isStart = slices.isBlockStart(i);
            blocks += isStart && outcomes.isMatched(i) ? 1 : 0;
            skipped += isStart && outcomes.isSkipped(i) ? 1 : 0;
            rows += outcomes.isMatched(i) ? slice.liveCount() : 0;
        }
        return new PlanRead(
                place,
                place == PlanRead.Place.RECENT ? 0 : runs.size(),
                blocks,
                skipped,
                rows,
                bytes);
    }
}
