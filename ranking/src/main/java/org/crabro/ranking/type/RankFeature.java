package org.crabro.ranking.type;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A feature of a rank expression, parsed from its name. A deployment checks this value, and an
 * evaluation computes it. To add a feature, add a record here and a line in {@link Name}; the
 * compiler then lists every {@code switch} that needs a case for it.
 *
 * <p>There is a record for each feature.
 */
public sealed interface RankFeature {
    /** A number whose name refers to no field. */
    sealed interface WithoutField extends RankFeature {}

    /** A feature that can need counts of words or of documents over all that is searched. */
    sealed interface Counted extends RankFeature {}

    /** The value of an attribute. */
    record Attribute(String field) implements RankFeature {}

    /**
     * A property of an attribute.
     *
     * @param key an index of an array or a key of a weighted set; empty for the attribute as a
     *     whole
     * @param output {@code value}, {@code weight}, {@code contains} or {@code count}
     */
    record AttributePart(String field, String key, String output) implements RankFeature {}

    /** A value that the query brings. */
    record Query(String name) implements RankFeature {}

    /**
     * How well the words of the query fit a text field.
     *
     * @param label that of the terms that count; empty for all
     */
    record Bm25(String field, String label) implements Counted {}

    /** How close a vector of the document is to one of the query: the larger, the closer. */
    record Closeness(Vector vector) implements RankFeature {}

    /** How far a vector of the document is from one of the query. */
    record Distance(Vector vector) implements RankFeature {}

    /**
     * Which of a document's vectors is the nearest: a tensor with 1 at its labels.
     *
     * @param label that of the search; empty for the first of the field
     */
    record Closest(String field, String label) implements RankFeature {
        /** Returns the type of the feature, of a field of type {@code vectors}. */
        public static TensorType type(TensorType vectors) {
            return new TensorType(
                    vectors.cellType(),
                    vectors.dimensions().stream()
                            .filter(Dimension.Mapped.class::isInstance)
                            .toList());
        }
    }

    /**
     * How recent a time in seconds is: 1 now, 0 when too old.
     *
     * @param logscale whether it falls with the logarithm of the age
     */
    record Freshness(String field, boolean logscale) implements RankFeature {}

    /** Seconds since a time. */
    record Age(String field) implements RankFeature {}

    /** When the query started, in seconds since 1970. */
    record Now() implements WithoutField {}

    /** Whether any term of the query was found in a field. */
    record Matches(String field) implements RankFeature {}

    /** How many terms the query has. */
    record QueryTermCount() implements WithoutField {}

    /**
     * The place of a document by its score of the first phase, from 1, where the second scores some
     * again; else the largest number there is.
     */
    record FirstPhaseRank() implements WithoutField {}

    /**
     * The best score of the first phase, where the second scores some again; else negative
     * infinity.
     */
    record FirstPhaseMax() implements WithoutField {}

    /**
     * How the query's terms match one field.
     *
     * @param output an output of the feature; empty if it has only one
     */
    record OfField(FieldFeature feature, String field, String output) implements Counted {}

    /** A score over several fields; over all if none is named. */
    record Native(NativeFeature feature, List<String> fields) implements Counted {
        public Native {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A property of one of the query's terms.
     *
     * @param term from 0
     */
    record OfTerm(int term, TermOutput output) implements WithoutField, Counted {}

    /** The properties of a term. */
    enum TermOutput {
        SIGNIFICANCE,
        WEIGHT,
        CONNECTEDNESS
    }

    /**
     * How one term meets one field.
     *
     * @param term from 0
     */
    record FieldTermMatch(String field, int term, FieldTermOutput output) implements RankFeature {}

    /** The properties of a term in a field. */
    enum FieldTermOutput {
        /** Whether it is found. */
        MATCHES,
        FIRST_POSITION,
        LAST_POSITION,
        OCCURRENCES,
        WEIGHT,
        EXACTNESS;

        /** Returns which of the outputs it is, from 0. */
        @SuppressWarnings("EnumOrdinal") // the order of outputs while a row is computed, not stored
        public int place() {
            return ordinal();
        }
    }

    /**
     * The smallest distance between two terms in a text.
     *
     * @param first from 0
     * @param second from 0
     */
    record TermDistance(String field, int first, int second, DistanceOutput output)
            implements RankFeature {}

    /** The direction of the distance, forward or reverse, or a term position in it. */
    enum DistanceOutput {
        FORWARD,
        FORWARD_TERM_POSITION,
        REVERSE,
        REVERSE_TERM_POSITION;

        /** Returns which of the outputs it is, from 0. */
        @SuppressWarnings("EnumOrdinal") // the order of outputs while a row is computed, not stored
        public int place() {
            return ordinal();
        }
    }

    /** The sum of the raw scores of terms with a label, such as the closeness of a vector. */
    record ItemRawScore(String label) implements WithoutField {}

    /**
     * A random number from 0 to 1.
     *
     * @param tag distinguishes several such numbers
     * @param match whether a document always has the same number
     */
    record Random(String tag, boolean match) implements WithoutField {}

    /**
     * The sum, over the elements of a field that the query names, of their weights by the query's.
     *
     * @param vector the query's: the rank property {@code dotProduct.vector}
     */
    record DotProduct(String field, String vector) implements RankFeature {}

    /**
     * How far a place of the document is from one of the query, as the crow flies.
     *
     * @param field of positions
     */
    record Geo(String field, GeoOutput output) implements RankFeature {}

    /** The properties of the nearest position. */
    enum GeoOutput {
        /** Millionths of a degree of a great circle. */
        DISTANCE("distance"),
        KM("km"),
        /** Which of the document's places it is, from 0; -1 for none. */
        INDEX("index"),
        LATITUDE("latitude"),
        LONGITUDE("longitude"),
        /** 1 at distance 0, falling to 0 far away. */
        CLOSENESS("closeness"),
        /** Like {@link #CLOSENESS}, on a logarithmic scale of the distance. */
        LOGSCALE("logscale");

        private final String text;

        GeoOutput(String text) {
            this.text = text;
        }

        /** Returns which of the outputs it is, from 0. */
        @SuppressWarnings("EnumOrdinal") // the order of outputs while a row is computed, not stored
        public int place() {
            return ordinal();
        }

        static Optional<GeoOutput> ofDistance(String output) {
            return Stream.of(KM, INDEX, LATITUDE, LONGITUDE)
                    .filter(each -> each.text.equals(output))
                    .findFirst();
        }
    }

    /**
     * The relation of a position of the document to a path in the query.
     *
     * @param field of positions
     */
    record ToPath(String field, PathOutput output) implements RankFeature {}

    /** The properties of the nearest point of the path. */
    enum PathOutput {
        /** How far it is, in millionths of a degree. */
        DISTANCE,
        /** The fraction of the path before the point, from 0 to 1. */
        TRAVELED,
        /** The cross product of the path segment and the vector to the position. */
        PRODUCT;

        /** Returns which of the outputs it is, from 0. */
        @SuppressWarnings("EnumOrdinal") // the order of outputs while a row is computed, not stored
        public int place() {
            return ordinal();
        }
    }

    /** The kind of a field, and the matches of the query's terms in it. */
    record FieldInfo(String field, FieldInfoOutput output) implements RankFeature {}

    /** The properties of a field. */
    enum FieldInfoOutput {
        /** 1 with an index, 2 with an attribute. */
        TYPE,
        /** Whether it only narrows. */
        FILTER,
        /** Whether any term searches it. */
        SEARCH,
        /** Whether any term is found. */
        HIT,
        /** How many words it has, where a term is found. */
        LEN,
        /** The position of the first matching word. */
        FIRST,
        /** The position of the last matching word. */
        LAST,
        /** How many are found. */
        CNT;

        /** Returns which of the outputs it is, from 0. */
        @SuppressWarnings("EnumOrdinal") // the order of outputs while a row is computed, not stored
        public int place() {
            return ordinal();
        }
    }

    /**
     * The position of a term in the query; -1 if there is no such term.
     *
     * @param term from 0
     */
    record TermInfo(int term) implements WithoutField {}

    /**
     * A normally distributed random number.
     *
     * @param tag distinguishes several such numbers
     * @param match whether a document always has the same number
     */
    record RandomNormal(double mean, double deviation, String tag, boolean match)
            implements WithoutField {}

    /**
     * How well all fields are matched, each by its own measure, on the weighted average of those
     * that are.
     *
     * @param output {@code score}, {@code totalWeight}, or {@code weight.} and a field
     */
    record MatchOfFields(String output) implements Counted {
        /** The prefix of outputs for one field. */
        public static final String WEIGHT = "weight.";
    }

    /** A feature that is a tensor; its name determines the type. */
    sealed interface OfTensor extends RankFeature {
        /** Returns the type of the feature. */
        TensorType type();

        private static TensorType mapped(CellType cells, String... dimensions) {
            return new TensorType(
                    cells,
                    Stream.of(dimensions).sorted().<Dimension>map(Dimension.Mapped::new).toList());
        }
    }

    /**
     * A tensor with the elements of a field as labels.
     *
     * @param weighted whether cells are the weights of a weighted set; 1 otherwise
     */
    record FromElements(String field, String dimension, boolean weighted) implements OfTensor {
        @Override
        public TensorType type() {
            return OfTensor.mapped(CellType.DOUBLE, dimension);
        }
    }

    /**
     * A tensor whose labels are listed by a rank property.
     *
     * @param property its name
     * @param weighted whether cells are the listed weights; 1 otherwise
     */
    record FromProperty(String property, String dimension, boolean weighted) implements OfTensor {
        @Override
        public TensorType type() {
            return OfTensor.mapped(CellType.DOUBLE, dimension);
        }
    }

    /** A tensor with 1 for each element of a field and its position. */
    record FromOffsets(String field, String dimension, String offset) implements OfTensor {
        @Override
        public TensorType type() {
            return OfTensor.mapped(CellType.FLOAT, dimension, offset);
        }
    }

    /**
     * A tensor with a cell for each struct of an array.
     *
     * @param keys the parts of a struct that are its labels, at least one, all different
     * @param value the part that is the cell
     */
    record FromStructs(String field, List<String> keys, String value, CellType cells)
            implements OfTensor {
        public FromStructs {
            keys = List.copyOf(keys);
        }

        @Override
        public TensorType type() {
            return OfTensor.mapped(cells, keys.toArray(String[]::new));
        }
    }

    /** {@code bm25} of the terms of each label separately, if it is not 0. */
    record Bm25ByLabel(String field) implements OfTensor, Counted {
        @Override
        public TensorType type() {
            return OfTensor.mapped(CellType.FLOAT, "label");
        }
    }

    /** {@code bm25} of each element separately, by its number. */
    record Bm25ByElement(String field, String dimension, CellType cells)
            implements OfTensor, Counted {
        @Override
        public TensorType type() {
            return OfTensor.mapped(cells, dimension);
        }
    }

    /** The significances of terms that are set in the query, by term number. */
    record FrequencyByTerm(String field) implements OfTensor {
        @Override
        public TensorType type() {
            return OfTensor.mapped(CellType.DOUBLE, "term");
        }
    }

    /** How many documents are searched. */
    record DocumentCount() implements WithoutField, Counted {}

    /** A single number. */
    record Value(double number) implements WithoutField {}

    /** Which vectors are compared. */
    sealed interface Vector {
        /** All nearest neighbor terms that search a field. */
        record OfField(String field) implements Vector {}

        /** The nearest neighbor term with a label. */
        record OfLabel(String label) implements Vector {}
    }

    /**
     * Returns the feature that {@code feature} names.
     *
     * @throws ExpressionTypeException if there is no feature with that name, those arguments or
     *     that output; the message lists the known ones
     */
    static RankFeature of(Feature feature) {
        for (Name name : Name.values()) {
            if (name.text.equals(feature.name())) {
                return name.read(feature);
            }
        }
        Optional<RankFeature> other =
                TermFeatures.read(feature).or(() -> TensorFeatures.read(feature));
        if (other.isPresent()) {
            return other.get();
        }
        throw new ExpressionTypeException(
                feature.origin(),
                "there is no feature or function '%s'%s"
                        .formatted(feature, NearestNames.hint(feature.name(), names())));
    }

    /** Returns whether there are features of this name. */
    static boolean isName(String name) {
        for (Name each : Name.values()) {
            if (each.text.equals(name)) {
                return true;
            }
        }
        return TermFeatures.names().contains(name) || TensorFeatures.names().contains(name);
    }

    /** Returns the names of all features. */
    static Set<String> names() {
        var names = new TreeSet<String>();
        for (Name name : Name.values()) {
            names.add(name.text);
        }
        names.addAll(TermFeatures.names());
        names.addAll(TensorFeatures.names());
        return names;
    }

    /** The names of features, each with the forms it has. */
    enum Name {
        AGE("age", "age(field)") {
            @Override
            RankFeature read(Feature feature) {
                return new Age(only(feature));
            }
        },
        ATTRIBUTE("attribute", "attribute(field) or attribute(field, key)") {
            @Override
            RankFeature read(Feature feature) {
                List<String> names = arguments(feature);
                String output = feature.output();
                boolean isKnown =
                        List.of("", "value", "weight", "contains", "count").contains(output);
                if (!isKnown || names.isEmpty() || names.size() > 2) {
                    throw unfit(feature);
                }
                if (names.size() == 1 && (output.isEmpty() || output.equals("value"))) {
                    return new Attribute(names.getFirst());
                }
                return new AttributePart(
                        names.getFirst(),
                        names.size() == 1 ? "" : names.getLast(),
                        output.isEmpty() ? "value" : output);
            }
        },
        BM25("bm25", "bm25(field) or bm25(field, label: name)") {
            @Override
            RankFeature read(Feature feature) {
                List<String> names = names(feature, false);
                boolean hasLabel = names.size() == 2 && names.getLast().startsWith(LABEL);
                if (names.size() != 1 && !hasLabel) {
                    throw unfit(feature);
                }
                return new Bm25(
                        names.getFirst(),
                        hasLabel ? names.getLast().substring(LABEL.length()) : "");
            }
        },
        CLOSENESS(
                "closeness",
                "closeness(field, f), closeness(label, l), closeness(f) or closeness(f).logscale") {
            @Override
            RankFeature read(Feature feature) {
                if (feature.output().equals("logscale")) {
                    return new Geo(oneOf(feature), GeoOutput.LOGSCALE);
                }
                return new Closeness(vector(feature));
            }
        },
        CLOSEST("closest", "closest(field) or closest(field, label)") {
            @Override
            RankFeature read(Feature feature) {
                List<String> names = names(feature, false);
                if (names.isEmpty() || names.size() > 2) {
                    throw unfit(feature);
                }
                return new Closest(names.getFirst(), names.size() == 2 ? names.getLast() : "");
            }
        },
        DISTANCE(
                "distance",
                "distance(field, f), distance(label, l) or distance(f), of places with .km, .index,"
                        + " .latitude or .longitude") {
            @Override
            RankFeature read(Feature feature) {
                Optional<GeoOutput> ofPlace = GeoOutput.ofDistance(feature.output());
                return ofPlace.isPresent()
                        ? new Geo(oneOf(feature), ofPlace.get())
                        : new Distance(vector(feature));
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
        MATCHES("matches", "matches(field) or matches(field, term)") {
            @Override
            RankFeature read(Feature feature) {
                List<String> names = arguments(feature);
                if (!feature.output().isEmpty()) {
                    throw unfit(feature);
                }
                return switch (names.size()) {
                    case 1 -> new Matches(names.getFirst());
                    case 2 ->
                            new FieldTermMatch(
                                    names.getFirst(),
                                    TermFeatures.number(names.getLast())
                                            .orElseThrow(() -> unfit(feature)),
                                    FieldTermOutput.MATCHES);
                    default -> throw unfit(feature);
                };
            }
        },
        FIRST_PHASE_MAX("firstPhaseMax", "firstPhaseMax") {
            @Override
            RankFeature read(Feature feature) {
                requireNone(feature);
                return new FirstPhaseMax();
            }
        },
        FIRST_PHASE_RANK("firstPhaseRank", "firstPhaseRank") {
            @Override
            RankFeature read(Feature feature) {
                requireNone(feature);
                return new FirstPhaseRank();
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

        private static final String LABEL = "label:";

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

        /** Returns the one field of a feature with an output. */
        String oneOf(Feature feature) {
            List<String> names = names(feature, true);
            if (names.size() == 1) {
                return names.getFirst();
            }
            if (names.size() == 2 && names.getFirst().equals("field")) {
                return names.getLast();
            }
            throw unfit(feature);
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
            if (feature.arguments().stream().anyMatch(Expression.Constant.class::isInstance)) {
                throw unfit(feature);
            }
            return arguments(feature);
        }

        List<String> arguments(Feature feature) {
            return TermFeatures.arguments(feature).orElseThrow(() -> unfit(feature));
        }

        ExpressionTypeException unfit(Feature feature) {
            return new ExpressionTypeException(
                    feature.origin(),
                    "'%s' is not known in this form; expected %s".formatted(feature, forms));
        }
    }
}
