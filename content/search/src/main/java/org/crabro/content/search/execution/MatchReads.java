package org.crabro.content.search.execution;

import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.read.ReadPlan;
import org.jspecify.annotations.Nullable;

/**
 * The reads of the match pass: first the dictionaries of blocks, then the rest of those blocks
 * whose dictionaries contain the words of the query.
 */
final class MatchReads implements ReadPlan {
    private final SearchAttempt attempt;
    private final SelectedNeighbors neighbors;
    private final BooleanSupplier isOver;
    private final boolean needsEverything;
    private final BlockScan headers;

    /** Made for the first block that is not in memory; guarded by this. */
    private @Nullable BlockScan dictionaries;

    MatchReads(SearchAttempt attempt, SelectedNeighbors neighbors, BooleanSupplier isOver) {
        this.attempt = attempt;
        this.neighbors = neighbors;
        this.isOver = isOver;
        this.needsEverything = attempt.plan().request().grouping().needsEverything();
        this.headers = attempt.scans().take(neighbors.rows(), isOver);
    }

    /** Returns the scans. */
    synchronized void end() {
        attempt.scans().giveBack(headers);
        if (dictionaries != null) {
            attempt.scans().giveBack(dictionaries);
        }
    }

    @Override
    public BlockProjection deciding() {
        return attempt.plan().deciding();
    }

    @Override
    public BlockProjection all() {
        return attempt.slices().read();
    }

    @Override
    public boolean isWanted(int slice) {
        return needsEverything || headers.mayMatch(slice);
    }

    @Override
    public synchronized boolean mayMatch(int slice) {
        if (needsEverything) {
            return true;
        }
        BlockScan scan = dictionaries;
        if (scan == null) {
            scan = attempt.scans().take(neighbors.rows(), isOver);
            dictionaries = scan;
        }
        return scan.canMatch(slice);
    }
}
