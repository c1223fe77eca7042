package org.crabro.content.search.execution;

import java.util.Optional;
import org.crabro.content.search.match.IndexUse;
import org.crabro.content.search.match.MatchPhaseLimit;
import org.crabro.content.search.match.SectionWords;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.search.rank.TextCounts;
import org.crabro.content.storage.index.LiveRows;
import org.jspecify.annotations.Nullable;

/** What a planned search needs of indexed sections. For one thread. */
final class PlannedIndexUse implements IndexUse {
    private final SearchPlan plan;
    private final @Nullable Ranking ranking;
    private final boolean scores;

    /** The words of all counted sections; null if the search needs no statistics. */
    private final @Nullable TextCounts counts;

    /**
     * @param scores whether scores by indexes decide which rows are read
     */
    PlannedIndexUse(SearchPlan plan, boolean scores) {
        this.plan = plan;
        this.ranking = plan.ranking().orElse(null);
        this.scores = scores && plan.isDecidedByScores();
        this.counts = ranking == null || !ranking.needsCounts() ? null : ranking.newCounts();
    }

    @Override
    public boolean leavesOut() {
        return !plan.needsAllBlocks();
    }

    @Override
    public Optional<MatchPhaseLimit> limit() {
        return plan.limit();
    }

    @Override
    public boolean countsWords() {
        // A selection decides which documents count.
        return plan.request().reply().countsWords() && plan.selection().isEmpty();
    }

    @Override
    public boolean countsOnly() {
        return ranking == null && plan.grouping().isEmpty() && leavesOut();
    }

    @Override
    public boolean count(SectionWords words, LiveRows live) {
        // A selection decides which documents count.
        return counts == null || (plan.selection().isEmpty() && counts.add(words, live));
    }

    @Override
    public boolean scores(SectionWords words) {
        return scores && ranking != null && ranking.isIn(words);
    }

    /** Adds the counts of all counted sections. */
    void addCounts(TextCounts into) {
        if (counts != null) {
            into.add(counts);
        }
    }
}
