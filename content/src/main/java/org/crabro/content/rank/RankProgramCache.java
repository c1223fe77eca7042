package org.crabro.content.rank;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.crabro.config.schema.Schema;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.program.RankProgram;
import org.crabro.ranking.type.RankFeature;

/**
 * The programs of rank expressions, compiled for the first query that needs them and kept for those
 * after it. What reads values of the query is compiled for each query, as these become constants of
 * the program; so is what runs models, which are open for one query. Threads share it.
 *
 * <p>Bounded by the deployed packages: for each document type there are as many programs as the
 * schema that was searched last has expressions.
 */
public final class RankProgramCache {
    private final Map<String, OfSchema> byType = new ConcurrentHashMap<>();

    /** Returns those of a schema; those of an older generation of it are let go. */
    @SuppressWarnings("ReferenceEquality") // Each generation has a schema of its own.
    public OfSchema of(Schema schema) {
        OfSchema kept = byType.get(schema.name());
        if (kept == null || kept.schema != schema) {
            kept = new OfSchema(schema);
            byType.put(schema.name(), kept);
        }
        return kept;
    }

    /**
     * A program and what it reads.
     *
     * @param features by slot
     */
    record Compiled(RankProgram program, List<RankFeature> features) {
        Compiled {
            features = List.copyOf(features);
        }
    }

    /** Those of the expressions of one schema. */
    public static final class OfSchema {
        private final Schema schema;
        private final Map<Written, Optional<Compiled>> programs = new ConcurrentHashMap<>();

        private OfSchema(Schema schema) {
            this.schema = schema;
        }

        /**
         * Returns the program of an expression of the schema's; nothing where each query has its
         * own.
         *
         * @param compiler asked for it once; needs neither a query nor models
         */
        Optional<Compiled> get(Expression expression, Function<Expression, Compiled> compiler) {
            var written = new Written(expression);
            Optional<Compiled> known = programs.get(written);
            if (known == null) {
                known = Optional.of(expression).filter(OfSchema::isShared).map(compiler);
                programs.put(written, known);
            }
            return known;
        }

        private static boolean isShared(Expression expression) {
            return expression.models().isEmpty()
                    && expression.features().stream()
                            .noneMatch(feature -> feature.name().equals("query"));
        }
    }

    /** An expression where it stands: to compare two would be to walk through both. */
    private record Written(Expression expression) {
        @Override
        @SuppressWarnings("ReferenceEquality")
        public boolean equals(Object that) {
            return that instanceof Written(Expression other) && other == expression;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(expression);
        }
    }
}
