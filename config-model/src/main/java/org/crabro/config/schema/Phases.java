package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.ranking.expression.Expression;

/**
 * What becomes of scores of the first phase.
 *
 * @param dropLimit documents whose score is not above it do not match
 */
public record Phases(OptionalDouble dropLimit, Optional<Second> second, Optional<Global> global) {
    /** The first phase has the last word. */
    public static final Phases NONE =
            new Phases(OptionalDouble.empty(), Optional.empty(), Optional.empty());

    /**
     * What content nodes compute in place of the first score: of every document that matches, or of
     * the best alone where a count is given.
     *
     * @param expression functions replaced by what they compute
     * @param rerankCount how many of the best each content node scores again
     * @param totalRerankCount how many all content nodes together score again
     * @param dropLimit hits whose score is not above it then are left out
     */
    public record Second(
            Expression expression,
            OptionalInt rerankCount,
            OptionalInt totalRerankCount,
            OptionalDouble dropLimit) {}

    /**
     * What the container computes of the best hits of all content nodes.
     *
     * @param expression in it {@code relevanceScore}, inputs, {@code normalizers} by their keys,
     *     and match features by theirs
     * @param rerankCount how many of the best are scored again
     * @param dropLimit hits whose score is not above it then are left out
     * @param normalizers by the names of the features that stand for them
     * @param features what content nodes compute for it besides match features, by name
     */
    public record Global(
            Expression expression,
            int rerankCount,
            OptionalDouble dropLimit,
            Map<String, Normalizer> normalizers,
            Map<String, Expression> features) {
        /** How many hits are scored again where a profile does not say it. */
        public static final int RERANK_COUNT = 100;

        /** The score that a hit has so far. */
        public static final String SCORE = "relevanceScore";

        public Global {
            normalizers = Collections.unmodifiableMap(new LinkedHashMap<>(normalizers));
            features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
        }
    }

    /** What makes values of different scales comparable by looking at all hits. */
    public sealed interface Normalizer {
        /** Returns what is computed of each hit first. */
        Expression input();

        /** To where between the smallest, 0, and the largest, 1, a value lies. */
        record Linear(Expression input) implements Normalizer {}

        /** 1 over {@code k} and the place that a value has, from 1 for the largest on. */
        record ReciprocalRank(Expression input, double k) implements Normalizer {
            /** What is usual. */
            public static final double K = 60;
        }
    }
}
