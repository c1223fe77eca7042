package org.crabro.ranking.type;

import java.util.List;
import java.util.TreeSet;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.TensorExpression;

/**
 * A feature that can stand in a rank expression, read from its name: whoever deploys checks it, and
 * whoever evaluates computes it, from the same value. To add a feature, add a record here and a
 * line in {@link Name}; the compiler then lists every {@code switch} that has to learn of it.
 */
public sealed interface RankFeature {
    /** The value of an attribute. */
    record Attribute(String field) implements RankFeature {}

    /** A value that the query brings. */
    record Query(String name) implements RankFeature {}

    /** How well the words of the query fit a text field. */
    record Bm25(String field) implements RankFeature {}

    /** How close a vector of the document is to one of the query: the larger, the closer. */
    record Closeness(Vector vector) implements RankFeature {}

    /** How far a vector of the document is from one of the query. */
    record Distance(Vector vector) implements RankFeature {}

    /**
     * How recent a time in seconds is: 1 now, 0 when too old.
     *
     * @param logscale whether it falls with the logarithm of the age
     */
    record Freshness(String field, boolean logscale) implements RankFeature {}

    /** Seconds since a time. */
    record Age(String field) implements RankFeature {}

    /** When the query started, in seconds since 1970. */
    record Now() implements RankFeature {}

    /** Whether any term of the query was found in a field. */
    record Matches(String field) implements RankFeature {}

    /** How many terms the query has. */
    record QueryTermCount() implements RankFeature {}

    /** Which vectors are compared. */
    sealed interface Vector {
        /** All nearest neighbor terms that search a field. */
        record OfField(String field) implements Vector {}

        /** The nearest neighbor term with a label. */
        record OfLabel(String label) implements Vector {}
    }

    /**
     * Returns what {@code feature} is.
     *
     * @throws ExpressionTypeException if there is no feature of that name, or not with such
     *     arguments or output; the message says which there are
     */
    static RankFeature of(Feature feature) {
        for (Name name : Name.values()) {
            if (name.text.equals(feature.name())) {
                return name.read(feature);
            }
        }
        var names = new TreeSet<String>();
        for (Name name : Name.values()) {
            names.add(name.text);
        }
        throw new ExpressionTypeException(
                feature.origin(),
                "there is no feature or function '%s'%s"
                        .formatted(feature, NearestNames.hint(feature.name(), names)));
    }

    /** Returns whether there are features of this name. */
    static boolean isName(String name) {
        for (Name each : Name.values()) {
            if (each.text.equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The names of features, each with the forms it has. */
    enum Name {
        AGE("age", "age(field)") {
            @Override
            RankFeature read(Feature feature) {
                return new Age(only(feature));
            }
        },
        ATTRIBUTE("attribute", "attribute(field)") {
            @Override
            RankFeature read(Feature feature) {
                return new Attribute(only(feature));
            }
        },
        BM25("bm25", "bm25(field)") {
            @Override
            RankFeature read(Feature feature) {
                return new Bm25(only(feature));
            }
        },
        CLOSENESS("closeness", "closeness(field, f), closeness(label, l) or closeness(f)") {
            @Override
            RankFeature read(Feature feature) {
                return new Closeness(vector(feature));
            }
        },
        DISTANCE("distance", "distance(field, f), distance(label, l) or distance(f)") {
            @Override
            RankFeature read(Feature feature) {
                return new Distance(vector(feature));
            }
        },
        FRESHNESS("freshness", "freshness(field) or freshness(field).logscale") {
            @Override
            RankFeature read(Feature feature) {
                boolean logscale = feature.output().equals("logscale");
                List<String> names = names(feature, logscale);
                if (names.size() != 1) {
                    throw unfit(feature);
                }
                return new Freshness(names.getFirst(), logscale);
            }
        },
        MATCHES("matches", "matches(field)") {
            @Override
            RankFeature read(Feature feature) {
                return new Matches(only(feature));
            }
        },
        NOW("now", "now") {
            @Override
            RankFeature read(Feature feature) {
                requireNone(feature);
                return new Now();
            }
        },
        QUERY("query", "query(name)") {
            @Override
            RankFeature read(Feature feature) {
                return new Query(only(feature));
            }
        },
        QUERY_TERM_COUNT("queryTermCount", "queryTermCount") {
            @Override
            RankFeature read(Feature feature) {
                requireNone(feature);
                return new QueryTermCount();
            }
        };

        private final String text;
        private final String forms;

        Name(String text, String forms) {
            this.text = text;
            this.forms = forms;
        }

        abstract RankFeature read(Feature feature);

        String only(Feature feature) {
            List<String> names = names(feature, false);
            if (names.size() != 1) {
                throw unfit(feature);
            }
            return names.getFirst();
        }

        Vector vector(Feature feature) {
            List<String> names = names(feature, false);
            return switch (names.size()) {
                case 1 -> new Vector.OfField(names.getFirst());
                case 2 ->
                        switch (names.getFirst()) {
                            case "field" -> new Vector.OfField(names.getLast());
                            case "label" -> new Vector.OfLabel(names.getLast());
                            default -> throw unfit(feature);
                        };
                default -> throw unfit(feature);
            };
        }

        void requireNone(Feature feature) {
            if (!names(feature, false).isEmpty()) {
                throw unfit(feature);
            }
        }

        List<String> names(Feature feature, boolean hasOutput) {
            if (feature.output().isEmpty() == hasOutput) {
                throw unfit(feature);
            }
            return feature.arguments().stream().map(argument -> name(feature, argument)).toList();
        }

        private String name(Feature feature, Expression argument) {
            return switch (argument) {
                case Feature inner when inner.arguments().isEmpty() -> inner.toString();
                case Text(String text) -> text;
                case TensorExpression.Variable(String name) -> name;
                case Constant _, Feature _ -> throw unfit(feature);
                case Expression.Unary _,
                        Expression.Binary _,
                        Expression.In _,
                        Expression.Call _,
                        Expression.If _,
                        Expression.Trees _,
                        TensorExpression _ ->
                        throw unfit(feature);
            };
        }

        ExpressionTypeException unfit(Feature feature) {
            return new ExpressionTypeException(
                    feature.origin(),
                    "'%s' is not known in this form; expected %s".formatted(feature, forms));
        }
    }
}
