package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.ranking.expression.Expression;

/**
 * The phases after the first one.
 *
 * @param dropLimit a document does not match if its first-phase score is not above this limit
 */
public record Phases(OptionalDouble dropLimit, Optional<Second> second, Optional<Global> global) {
    /** The first phase is the only one. */
    public static final Phases NONE =
            new Phases(OptionalDouble.empty(), Optional.empty(), Optional.empty());

    /**
     * The second phase: content nodes recompute the score of every matching document, or of the
     * best ones if a count is set.
     *
     * @param expression with functions expanded
     * @param rerankCount the number of hits that each content node reranks
     * @param totalRerankCount the number of hits that all content nodes together rerank
     * @param dropLimit a hit is dropped if its new score is not above this limit
     */
    public record Second(
            Expression expression,
            OptionalInt rerankCount,
            OptionalInt totalRerankCount,
            OptionalDouble dropLimit) {}

    /**
     * The global phase: the container recomputes the scores of the best hits of all content nodes.
     *
     * @param expression uses {@code relevanceScore}, inputs, {@code normalizers} by their keys, and
     *     match features by theirs
     * @param rerankCount the number of hits that are reranked
     * @param dropLimit a hit is dropped if its new score is not above this limit
     * @param normalizers by the names of the features that refer to them
     * @param features that content nodes compute for this phase in addition to match features, by
     *     name
     */
    public record Global(
            Expression expression,
            int rerankCount,
            OptionalDouble dropLimit,
            Map<String, Normalizer> normalizers,
            Map<String, Expression> features) {
        /** The number of reranked hits if a profile does not set it. */
        public static final int RERANK_COUNT = 100;

        /** The feature for the score of the earlier phases. */
        public static final String SCORE = "relevanceScore";

        public Global {
            normalizers = Collections.unmodifiableMap(new LinkedHashMap<>(normalizers));
            features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
        }
    }

    /** Makes values of different scales comparable by a computation over all hits. */
    public sealed interface Normalizer {
        /** Returns the expression that is computed for each hit first. */
        Expression input();

        /** Maps values linearly, the smallest to 0 and the largest to 1. */
        record Linear(Expression input) implements Normalizer {}

        /** 1 / ({@code k} + rank), where the largest value has rank 1. */
        record ReciprocalRank(Expression input, double k) implements Normalizer {
            /** The default of {@code k}. */
            public static final double K = 60;
        }
    }
}
