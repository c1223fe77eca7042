package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.protocol.search.OtherFeatures;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.program.BatchEvaluation;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorLimitException;
import org.crabro.ranking.tensor.TensorTypes;
import org.jspecify.annotations.Nullable;

/** Scores rows of the open slice of a {@link BlockScan}. For one thread. */
public final class Scorer {
    /** The maximum number of rows of a block; larger batches are scored in parts. */
    private static final int BATCH_SIZE = 1_024;

    private final BlockScan scan;
    private final Scoring scoring;

    // Created on first use. The few rows that are returned often have their scores already.
    private @Nullable Evaluation firstPhase;
    private @Nullable Evaluation again;
    private final List<Evaluation> hitFeatures = new ArrayList<>();
    private final RowFeatures rowFeatures;
    private final int[] one = new int[1];
    private final double[] value = new double[1];

    public Scorer(Scoring scoring, BlockScan scan) {
        this.scan = scan;
        this.scoring = scoring;
        this.rowFeatures = new RowFeatures(scan);
        for (Scoring.HitFeature feature : scoring.hitFeatures()) {
            hitFeatures.add(new Evaluation(feature.program(), scan, rowFeatures, 1));
        }
    }

    /**
     * Writes the scores of rows of the open slice. A score that is not finite is written as
     * negative infinity.
     *
     * @param rows in rising order
     * @param scores receives one per row, from index 0 on
     */
    public void score(int[] rows, int count, double[] scores) {
        if (firstPhase == null) {
            firstPhase = new Evaluation(scoring.firstPhase(), scan, rowFeatures, BATCH_SIZE);
        }
        firstPhase.evaluate(rows, count, scores);
        makeFinite(scores, count);
    }

    /**
     * Writes the second-phase scores of rows of the open slice, like {@link #score}.
     *
     * @param ranks of the rows by the first phase, from 1
     * @param best the best score of the first phase, over all rows
     * @throws java.util.NoSuchElementException if there is no second phase
     */
    public void scoreAgain(int[] rows, int[] ranks, double best, int count, double[] scores) {
        if (again == null) {
            again = new Evaluation(scoring.again().orElseThrow(), scan, rowFeatures, BATCH_SIZE);
        }
        again.ranks = ranks;
        again.best = best;
        again.evaluate(rows, count, scores);
        makeFinite(scores, count);
    }

    /**
     * Removes the rows whose scores do not exceed the drop limit, if there is one. The others are
     * moved to the front.
     *
     * @return how many rows remain
     */
    public int drop(int[] rows, int count, double[] scores) {
        if (scoring.dropLimit().isEmpty()) {
            return count;
        }
        double limit = scoring.dropLimit().getAsDouble();
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (scores[i] > limit) {
                rows[left] = rows[i];
                scores[left++] = scores[i];
            }
        }
        return left;
    }

    static void makeFinite(double[] scores, int count) {
        for (int i = 0; i < count; i++) {
            // The comparison is false for NaN too. Adding 0.0 turns -0.0 into 0.0.
            scores[i] =
                    Math.abs(scores[i]) < Double.POSITIVE_INFINITY
                            ? scores[i] + 0.0
                            : Double.NEGATIVE_INFINITY;
        }
    }

    /** Returns the score of one row of the open slice. */
    public double score(int row) {
        one[0] = row;
        score(one, 1, value);
        return value[0];
    }

    /**
     * Returns a hit with the features that the profile returns. The hit must be a row of the open
     * slice.
     */
    public SearchHit withFeatures(SearchHit hit, int row) {
        if (hitFeatures.isEmpty()) {
            return hit;
        }
        var match = new LinkedHashMap<String, QueryInput>();
        var summary = new LinkedHashMap<String, QueryInput>();
        var listed = new LinkedHashMap<String, QueryInput>();
        var used = new LinkedHashMap<String, QueryInput>();
        int number = 0;
        one[0] = row;
        for (Scoring.HitFeature feature : scoring.hitFeatures()) {
            TensorData computed = hitFeatures.get(number++).tensor(one);
            Map<String, QueryInput> into =
                    switch (feature.part()) {
                        case MATCH -> match;
                        case SUMMARY -> summary;
                        case LISTED -> listed;
                        case USED -> used;
                    };
            into.put(
                    feature.name(),
                    TensorTypes.isNumber(computed.type())
                            ? new QueryInput.NumberInput(computed.cells()[0])
                            : new QueryInput.TensorInput(computed.toTensor()));
        }
        return new SearchHit(
                hit.id(),
                hit.relevance(),
                hit.sortValues(),
                hit.summary(),
                match,
                new OtherFeatures(summary, listed, used));
    }

    /** The evaluation of a program. It supplies the features of the current rows. */
    private static final class Evaluation implements FeatureValues {
        private final FeatureSource[] sources;
        private final BatchEvaluation program;
        private final BlockScan scan;
        private final RowFeatures rowFeatures;
        private final int capacity;
        private int[] rows = {};

        /** In the second phase: the ranks by the first phase, and its best score. */
        private int[] ranks = {};

        private double best;

        /** The index of the first current row among all rows. */
        private int first;

        Evaluation(Scoring.Program program, BlockScan scan, RowFeatures rowFeatures, int capacity) {
            this.sources = program.sources().toArray(FeatureSource[]::new);
            this.capacity = Math.min(capacity, program.program().batchMax());
            this.program = program.program().evaluation(this.capacity, scan.work());
            this.scan = scan;
            this.rowFeatures = rowFeatures;
        }

        /** Returns the result of the program for one row. */
        TensorData tensor(int[] row) {
            rows = row;
            try {
                return program.tensor(this);
            } catch (TensorLimitException | ModelFailedException e) {
                throw new QueryRejectedException(String.valueOf(e.getMessage()));
            }
        }

        void evaluate(int[] all, int count, double[] scores) {
            try {
                evaluateParts(all, count, scores);
            } catch (TensorLimitException | ModelFailedException e) {
                throw new QueryRejectedException(String.valueOf(e.getMessage()));
            }
        }

        private void evaluateParts(int[] all, int count, double[] scores) {
            first = 0;
            if (count <= capacity) {
                rows = all;
                program.evaluate(this, count, scores);
                return;
            }
            int[] part = new int[capacity];
            double[] partScores = new double[capacity];
            rows = part;
            for (int from = 0; from < count; from += capacity) {
                int size = Math.min(capacity, count - from);
                System.arraycopy(all, from, part, 0, size);
                first = from;
                program.evaluate(this, size, partScores);
                System.arraycopy(partScores, 0, scores, from, size);
            }
        }

        @Override
        public void read(int slot, double[] into, int count) {
            FeatureSource source = sources[slot];
            if (source instanceof FeatureSource.OfRow(var feature, var terms, int output)) {
                rowFeatures.read(feature, terms, output, rows, count, into);
            } else if (ranks.length > 0 && source instanceof FeatureSource.FirstPhaseRank) {
                for (int i = 0; i < count; i++) {
                    into[i] = ranks[first + i];
                }
            } else if (ranks.length > 0 && source instanceof FeatureSource.FirstPhaseMax) {
                Arrays.fill(into, 0, count, best);
            } else {
                source.read(scan, rows, count, into);
            }
        }

        @Override
        public TensorData tensor(int slot, int row) {
            return sources[slot] instanceof FeatureSource.OfRowTensor(var feature, var terms)
                    ? rowFeatures.tensor(feature, terms, rows[row])
                    : sources[slot].tensor(scan, rows[row]);
        }

        @Override
        public void cells(int slot, int row, CellBuffer into) {
            if (sources[slot] instanceof FeatureSource.OfRowTensor) {
                into.hold(tensor(slot, row));
            } else {
                sources[slot].cells(scan, rows[row], into);
            }
        }
    }
}
