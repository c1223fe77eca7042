package org.crabro.content.result;

import java.util.Arrays;
import java.util.List;
import org.crabro.content.match.IndexedSearch.TakenSection;
import org.crabro.content.rank.SectionScorer;
import org.crabro.content.read.BlockSlice;
import org.crabro.content.read.RowFinder;
import org.crabro.content.sidecar.FoundRows;

/** The rows of a section that may be among the best, by the scores of its index. For one thread. */
final class ScoredSection {
    private final TakenSection taken;
    private final BestScores best;
    private int[] rows = new int[16];
    private double[] scores = new double[16];
    private int size;
    private int matching;

    /**
     * @param best the best scores of all sections
     */
    ScoredSection(TakenSection taken, BestScores best) {
        this.taken = taken;
        this.best = best;
    }

    /** Scores the rows that match. */
    void score(SectionScorer scorer) {
        matching = scorer.score(taken.words(), taken.rows(), taken.live(), this::add);
    }

    private void add(int[] added, double[] ofAdded, int count) {
        for (int i = 0; i < count; i++) {
            if (ofAdded[i] >= best.least()) {
                best.add(ofAdded[i]);
                if (size == rows.length) {
                    rows = Arrays.copyOf(rows, 2 * size);
                    scores = Arrays.copyOf(scores, 2 * size);
                }
                rows[size] = added[i];
                scores[size++] = ofAdded[i];
            }
        }
    }

    /** Returns the number of live rows. */
    int liveCount() {
        return taken.live().count();
    }

    /** Returns the number of live rows that match. */
    int matching() {
        return matching;
    }

    /**
     * Adds slices of the rows that may be among the best of all sections: those whose scores are
     * not below the last of the best. Equal scores are decided by ids, which no index has.
     *
     * @return the number of these rows
     */
    int addSlices(List<BlockSlice> into) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] >= best.least()) {
                rows[count] = rows[i];
                scores[count++] = scores[i];
            }
        }
        if (count > 0) {
            var kept =
                    new FoundRows(
                            Arrays.copyOf(rows, count),
                            Arrays.copyOf(scores, count),
                            taken.section().rowCount());
            taken.section().addSlices(new RowFinder.Answer.Found(kept, true), into);
        }
        size = count;
        return count;
    }
}
