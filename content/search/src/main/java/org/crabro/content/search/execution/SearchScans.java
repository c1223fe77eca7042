package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.NearestRows;
import org.crabro.content.search.match.ScanCaches;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.storage.file.WorkMeter;

/**
 * The scans of one attempt to answer a search. Each thread takes a scan in each pass, and gives it
 * back for the next pass. Safe for use by the threads of the search.
 */
final class SearchScans {
    private final SearchPlan plan;
    private final ScopeSlices slices;
    private final SearchResources.Caches caches;
    private final ScanScheduler.Turn turn;
    private final CostMeter cost;
    private final TextHitsCache texts;

    /** Scans that no thread uses; guarded by itself. */
    private final List<BlockScan> spare = new ArrayList<>();

    SearchScans(
            SearchPlan plan,
            ScopeSlices slices,
            SearchResources.Caches caches,
            ScanScheduler.Turn turn,
            CostMeter cost) {
        this.plan = plan;
        this.slices = slices;
        this.caches = caches;
        this.turn = turn;
        this.cost = cost;
        this.texts = new TextHitsCache(slices.count());
    }

    /**
     * Returns a scan for one thread in one pass.
     *
     * @param neighbors the rows that nearest neighbor searches selected
     * @param isOver ends the scan, inside a row too, when it returns true
     */
    BlockScan take(List<NearestRows> neighbors, BooleanSupplier isOver) {
        BlockScan scan = take(neighbors);
        scan.work().begin(isOver);
        return scan;
    }

    /** Returns such a scan for a thread of a team: other searches may run first inside a row. */
    BlockScan takeStepping(List<NearestRows> neighbors, BooleanSupplier isOver) {
        return take(
                neighbors,
                () -> {
                    turn.step();
                    return isOver.getAsBoolean();
                });
    }

    private BlockScan take(List<NearestRows> neighbors) {
        synchronized (spare) {
            if (!spare.isEmpty()) {
                return spare.removeLast().again(neighbors);
            }
        }
        var scan =
                new BlockScan(
                        plan.matcher(),
                        plan.fields(),
                        slices.list(),
                        neighbors,
                        new ScanCaches(
                                texts, caches.blocks(), caches.memories().take(), plan.parents()));
        cost.add(scan.work());
        return scan;
    }

    /** Returns a meter for work outside a scan. */
    WorkMeter newMeter(BooleanSupplier isOver) {
        return cost.newMeter(isOver);
    }

    /** Adds what a scan read to the cost of the search. */
    void addReads(BlockScan scan) {
        cost.add(scan.reads());
    }

    /** Adds what a scan read to the cost of the search, and takes the scan back. */
    void finish(BlockScan scan) {
        addReads(scan);
        giveBack(scan);
    }

    /** Takes back a scan that no thread uses any more. */
    void giveBack(BlockScan scan) {
        if (scan.work().isStopped()) {
            // The scan knows only a part of the row that it was stopped in.
            return;
        }
        synchronized (spare) {
            spare.add(scan);
        }
    }

    /** Returns how many blocks were tokenized because they contain no tokens. */
    int tokenizedBlocks() {
        int tokenized = 0;
        boolean isCounted = false;
        for (int slice = 0; slice < slices.count(); slice++) {
            isCounted &= !slices.isBlockStart(slice);
            if (!isCounted && texts.isTokenized(slice)) {
                tokenized++;
                isCounted = true;
            }
        }
        return tokenized;
    }

    /** Returns the memory of all spare scans to the pool, for later searches. */
    void end() {
        synchronized (spare) {
            spare.forEach(scan -> caches.memories().giveBack(scan.memory()));
            spare.clear();
        }
    }
}
