package org.crabro.ranking.program;

import java.util.List;
import org.crabro.ranking.expression.Expression;

/**
 * A scalar rank expression, compiled: constants folded, common parts shared, features resolved to
 * slots. Immutable and shared; each thread evaluates through a {@link RankProgram.Evaluation} of
 * its own, which holds the scratch memory.
 */
public final class RankProgram {
    private final List<Expression.Feature> features;

    RankProgram(List<Expression.Feature> features) {
        this.features = features;
    }

    /**
     * Compiles {@code expression}, in which functions of the profile were replaced already.
     *
     * @throws IllegalArgumentException if it holds what is no feature and no function known
     */
    public static RankProgram compile(Expression expression) {
        throw new UnsupportedOperationException(expression.toString());
    }

    /** Returns the features that the program reads, each once; a feature's index is its slot. */
    public List<Expression.Feature> features() {
        return features;
    }

    /**
     * Returns something to evaluate with, for one thread, in batches of at most {@code capacity}.
     */
    public Evaluation evaluation(int capacity) {
        throw new UnsupportedOperationException("capacity " + capacity);
    }

    /** The scratch memory of one thread. */
    public interface Evaluation {
        /**
         * Evaluates a batch.
         *
         * @param count documents in the batch, at most the capacity
         * @param scores receives one score per document, from index 0 on
         */
        void evaluate(FeatureValues values, int count, double[] scores);
    }
}
