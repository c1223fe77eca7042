package org.crabro.content.search.execution;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.content.search.match.IndexedSearch.TakenSection;
import org.crabro.content.search.rank.SectionScorer;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.index.MatchingRows;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.index.RowsById;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.RowFinder;
import org.jspecify.annotations.Nullable;

/** The rows of a section that may be among the best, by the scores of its index. For one thread. */
final class ScoredSection implements SectionScorer.Sink {
    /**
     * How many ids of blocks are read in the time of so many steps through the rows in the order of
     * their ids.
     */
    private static final long STEPS_PER_ID = 64;

    private final TakenSection taken;
    private final BestScores best;

    /** Rows that may be among the best, and their scores; none if all scores are equal. */
    private int[] rows = new int[16];

    private double[] scores = new double[16];
    private int size;

    /** The score of all rows that match, if it is the same. */
    private OptionalDouble everyScore = OptionalDouble.empty();

    /** All rows that match, dead ones too, if their score is the same. */
    private @Nullable RowSet all;

    private int matching;

    /** Rows with the last of the best scores, the lowest id first; none if this is unknown. */
    private int[] tied = {};

    /**
     * @param best the best scores of all sections
     */
    ScoredSection(TakenSection taken, BestScores best) {
        this.taken = taken;
        this.best = best;
    }

    /** Scores the rows that match. */
    void score(SectionScorer scorer) {
        everyScore = scorer.everyScore();
        if (everyScore.isEmpty()) {
            matching = scorer.score(taken.words(), taken.rows(), taken.live(), this);
            return;
        }
        all = taken.rows().evaluated();
        matching = all.count(taken.live());
        for (int i = 0; i < matching && everyScore.getAsDouble() > best.least(); i++) {
            best.add(everyScore.getAsDouble());
        }
    }

    @Override
    public double least() {
        return best.least();
    }

    @Override
    public void add(int[] added, double[] ofAdded, int count) {
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
     * Drops the rows that are not among the best of all sections: those whose scores are below the
     * last of the best. If many rows have that score, only those with the lowest ids are kept,
     * which decide between them. To be called when all sections are scored.
     */
    void drop() {
        if (everyScore.isEmpty()) {
            keepBest();
        } else {
            keepEqual(everyScore.getAsDouble());
        }
    }

    /**
     * Returns the rows with the last of the best scores, if these are known in the order of their
     * ids: the lowest first.
     */
    int[] tied() {
        return tied;
    }

    /** Drops the {@link #tied()} rows but the first. */
    void keepTied(int tiedCount) {
        var dropped = new int[tied.length - tiedCount];
        System.arraycopy(tied, tiedCount, dropped, 0, dropped.length);
        Arrays.sort(dropped);
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (Arrays.binarySearch(dropped, rows[i]) < 0) {
                rows[count] = rows[i];
                scores[count++] = scores[i];
            }
        }
        size = count;
    }

    /**
     * Returns the block of a row.
     *
     * @throws CorruptRunException if its header is damaged
     */
    EncodedBlock block(int row) {
        return taken.section().rows().block(index().block(row));
    }

    /** Returns the number of a row in its block. */
    int rowInBlock(int row) {
        return row - index().firstRow(index().block(row));
    }

    private SectionIndex index() {
        return taken.section().index().orElseThrow();
    }

    /**
     * Adds slices of the rows that were not dropped.
     *
     * @return the number of these rows
     */
    int addSlices(List<BlockSlice> into) {
        if (size > 0) {
            var scored =
                    MatchingRows.scored(Arrays.copyOf(rows, size), Arrays.copyOf(scores, size));
            taken.section().addSlices(new RowFinder.Answer.Found(scored, true), into);
        }
        return size;
    }

    private void keepBest() {
        double least = best.least();
        int count = 0;
        int last = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] >= least) {
                last += scores[i] == least ? 1 : 0;
                rows[count] = rows[i];
                scores[count++] = scores[i];
            }
        }
        size = count;
        if (isManyEqual(last)) {
            keepLowestIds(least);
        }
    }

    /** Removes the rows with a score that do not have the lowest ids of them. */
    private void keepLowestIds(double score) {
        RowsById byId = rowsById().orElse(null);
        if (byId == null) {
            return;
        }
        var equal = new RowSet.Builder(taken.section().rowCount());
        for (int i = 0; i < size; i++) {
            if (scores[i] == score) {
                equal.add(rows[i]);
            }
        }
        tied = byId.lowest(equal.build(), taken.live(), best.lastCount());
        int[] lowest = tied.clone();
        Arrays.sort(lowest);
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] > score || Arrays.binarySearch(lowest, rows[i]) >= 0) {
                rows[count] = rows[i];
                scores[count++] = scores[i];
            }
        }
        size = count;
    }

    private void keepEqual(double score) {
        if (matching == 0 || score < best.least()) {
            return;
        }
        RowSet all = Objects.requireNonNull(this.all);
        RowsById byId = isManyEqual(matching) ? rowsById().orElse(null) : null;
        if (byId == null) {
            rows = taken.live().of(all);
        } else {
            tied = byId.lowest(all, taken.live(), best.lastCount());
            rows = tied.clone();
            Arrays.sort(rows);
        }
        size = rows.length;
        scores = new double[size];
        Arrays.fill(scores, score);
    }

    /** Returns whether it is faster to look for the lowest ids than to compare all. */
    private boolean isManyEqual(long count) {
        long needed = best.lastCount();
        return count > needed && count * count * STEPS_PER_ID > needed * taken.section().rowCount();
    }

    private Optional<RowsById> rowsById() {
        return index().rowsById();
    }
}
