package org.crabro.content.search.execution;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.rank.Scorer;
import org.crabro.content.search.rank.Scoring;
import org.crabro.protocol.search.RankLimits;
import org.jspecify.annotations.Nullable;

/** Merges the best rows of all threads, and scores them again if the profile has a second phase. */
final class RerankPass {
    private final SearchAttempt attempt;
    private final SelectedNeighbors neighbors;
    private final @Nullable Scoring scoring;

    /**
     * @param scoring null if rows are not scored
     */
    RerankPass(SearchAttempt attempt, SelectedNeighbors neighbors, @Nullable Scoring scoring) {
        this.attempt = attempt;
        this.neighbors = neighbors;
        this.scoring = scoring;
    }

    /**
     * The best rows in their final order.
     *
     * @param dropped how many rows the second phase dropped
     * @param isPartial whether time ended before the second phase did: the rows are then in the
     *     order of the first
     */
    record Ranked(TopK best, long dropped, boolean isPartial) {}

    Ranked run(MatchedRows matches) {
        SearchPlan plan = attempt.plan();
        SearchDeadline deadline = attempt.deadline();
        RowOrder order =
                plan.sorting()
                        .order(
                                attempt.slices().list(),
                                attempt.scans().newMeter(deadline.isOverdue()));
        int hits = plan.request().hits().count();
        if (scoring == null || !plan.isReranked()) {
            return new Ranked(
                    TopK.merge(matches.best(), order, scoring == null ? 0 : hits), 0, false);
        }
        RankLimits limits = plan.request().query().ranking().limits();
        int count = limits.rerankCount().orElseThrow();
        TopK best = TopK.merge(matches.best(), order, plan.topRows());
        BooleanSupplier isOver = deadline.isOver();
        BlockScan scan = attempt.scans().take(neighbors.rows(), isOver);
        var reranking = new RerankWorker(best, count, scan, new Scorer(scoring, scan));
        SliceTeam<RerankWorker> team =
                attempt.passes()
                        .runAlone(
                                "second phase",
                                attempt.slices(),
                                reranking,
                                isOver,
                                SliceSubsetReads.of(attempt.slices().read(), List.of(best)));
        attempt.trace().endPhase("second-phase");
        if (team.isStopped()) {
            return new Ranked(TopK.merge(List.of(best), order, hits), 0, true);
        }
        RerankWorker.Outcome outcome = reranking.outcome(limits.secondDropLimit(), order, hits);
        // All rows that were not kept are sorted after the kept ones. If one of the kept rows is
        // dropped, all of the others are dropped too.
        long unkept = outcome.dropped() == 0 ? 0 : matches.counts().matched() - best.size();
        attempt.trace()
                .add(() ->
                        "second phase: scored %d of %d again, left out %d and %d behind them"
                                .formatted(
                                        Math.min(best.size(), count),
                                        best.size(),
                                        outcome.dropped(),
                                        unkept));
        return new Ranked(outcome.best(), outcome.dropped() + unkept, false);
    }
}
