package org.crabro.content.search.rank;

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
 * A cache of the programs of rank expressions, which are compiled for the first query that needs
 * them. Not cached are programs that read values of the query, because these become constants of
 * the program, and programs that run models, because models are open for one query. Threads share
 * the cache.
 *
 * <p>The size is limited by the deployed packages: for each document type, the cache has at most as
 * many programs as the last searched schema has expressions.
 */
public final class RankProgramCache {
    private final Map<String, OfSchema> byType = new ConcurrentHashMap<>();

    /**
     * Returns the programs of a schema. Programs of an older generation of the schema are dropped.
     */
    @SuppressWarnings("ReferenceEquality") // Each generation has a schema of its own.
    public OfSchema of(Schema schema) {
        OfSchema cached = byType.get(schema.name());
        if (cached == null || cached.schema != schema) {
            cached = new OfSchema(schema);
            byType.put(schema.name(), cached);
        }
        return cached;
    }

    /**
     * A program and its features.
     *
     * @param features by slot
     */
    record Compiled(RankProgram program, List<RankFeature> features) {
        Compiled {
            features = List.copyOf(features);
        }
    }

    /** The programs of the expressions of one schema. */
    public static final class OfSchema {
        private final Schema schema;
        private final Map<Written, Optional<Compiled>> programs = new ConcurrentHashMap<>();

        private OfSchema(Schema schema) {
            this.schema = schema;
        }

        /**
         * Returns the program of an expression of the schema; empty if each query must compile its
         * own.
         *
         * @param compiler called once; must need neither a query nor models
         */
        Optional<Compiled> get(Expression expression, Function<Expression, Compiled> compiler) {
            var written = new Written(expression);
            Optional<Compiled> cached = programs.get(written);
            if (cached == null) {
                cached = Optional.of(expression).filter(OfSchema::isShared).map(compiler);
                programs.put(written, cached);
            }
            return cached;
        }

        private static boolean isShared(Expression expression) {
            return expression.models().isEmpty()
                    && expression.features().stream()
                            .noneMatch(feature -> feature.name().equals("query"));
        }
    }

    /**
     * An expression compared by identity, because comparing by content would traverse both
     * expressions.
     */
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
