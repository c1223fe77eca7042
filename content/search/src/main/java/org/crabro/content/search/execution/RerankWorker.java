package org.crabro.content.search.execution;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.rank.Scorer;
import org.crabro.ranking.program.ScoreScale;

/** Scores the best rows again by the second phase, and sorts all kept rows by their new scores. */
final class RerankWorker implements SliceTeam.Worker {
    private final TopK top;
    private final int count;
    private final BlockScan scan;
    private final Scorer scorer;
    private final double[] scores;

    /** Whether a row was scored again; false for rows of a block that cannot be read. */
    private final boolean[] isScored;

    private final Map<Integer, List<Integer>> bySlice;

    /**
     * @param best the rows that the first phase kept, the best first
     * @param count the most rows that are scored again
     */
    RerankWorker(TopK best, int count, BlockScan scan, Scorer scorer) {
        this.top = best;
        this.count = Math.min(count, best.size());
        this.scan = scan;
        this.scorer = scorer;
        this.scores = new double[best.size()];
        this.isScored = new boolean[best.size()];
        this.bySlice =
                IntStream.range(0, this.count)
                        .boxed()
                        .sorted(Comparator.comparingInt(best::row))
                        .collect(Collectors.groupingBy(best::slice));
    }

    @Override
    public void work(int slice) {
        List<Integer> indexes = bySlice.getOrDefault(slice, List.of());
        if (indexes.isEmpty()) {
            return;
        }
        scan.open(slice);
        int[] rows = indexes.stream().mapToInt(top::row).toArray();
        int[] ranks = indexes.stream().mapToInt(index -> index + 1).toArray();
        var again = new double[rows.length];
        scorer.scoreAgain(rows, ranks, top.value(0), rows.length, again);
        for (int i = 0; i < rows.length; i++) {
            scores[indexes.get(i)] = again[i];
            isScored[indexes.get(i)] = true;
        }
    }

    /**
     * The result of the second phase.
     *
     * @param dropped how many rows were dropped because of their score
     */
    record Outcome(TopK best, int dropped) {}

    /**
     * Returns the best rows, after the work on all slices has ended.
     *
     * @param dropLimit rows with a score at or below it are dropped
     * @param limit the most rows to return
     */
    Outcome outcome(OptionalDouble dropLimit, RowOrder order, int limit) {
        ScoreScale.moveOthers(top::value, scores, isScored);
        var best = new TopK(order, Math.max(1, limit));
        int dropped = 0;
        for (int i = 0; i < scores.length; i++) {
            if (dropLimit.isPresent() && !(scores[i] > dropLimit.getAsDouble())) {
                dropped++;
            } else {
                best.offer(top.slice(i), top.row(i), scores[i]);
            }
        }
        return new Outcome(TopK.merge(List.of(best), order, limit), dropped);
    }
}
