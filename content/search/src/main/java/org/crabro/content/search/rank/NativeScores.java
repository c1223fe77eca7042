package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.config.schema.FieldRanking.RankType;
import org.crabro.ranking.type.NativeFeature;

/**
 * The native scores: of texts, by how early, how often and how close to each other terms occur; of
 * attributes, by the weights of the matches.
 *
 * @param fields the fields that count; if empty, all fields that terms search
 */
record NativeScores(NativeFeature feature, List<String> fields) implements RowFeature {
    private static final int WINDOW = 4;

    NativeScores {
        fields = List.copyOf(fields);
    }

    @Override
    public int outputCount() {
        return 1;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        var score = new Score(terms, fields);
        RankedTerms ranked = terms.ranked();
        boolean normalized = isNormalized(ranked);
        double fieldWeight = ranked.property("nativeRank.fieldMatchWeight", 100);
        double nearWeight = ranked.property("nativeRank.proximityWeight", normalized ? 25 : 100);
        double attributeWeight = ranked.property("nativeRank.attributeMatchWeight", 100);
        double weights = fieldWeight + nearWeight + attributeWeight;
        return switch (feature) {
            case FIELD_MATCH -> (row, outputs) -> outputs[0] = score.fieldMatch(row);
            case PROXIMITY -> (row, outputs) -> outputs[0] = score.proximity(row);
            case ATTRIBUTE_MATCH -> (row, outputs) -> outputs[0] = score.attributeMatch(row);
            case DOT_PRODUCT -> (row, outputs) -> outputs[0] = score.dotProduct(row);
            case RANK ->
                    (row, outputs) ->
                            outputs[0] =
                                    weights == 0
                                            ? 0
                                            : (fieldWeight * score.fieldMatch(row)
                                                            + nearWeight * score.proximity(row)
                                                            + attributeWeight
                                                                    * score.attributeMatch(row))
                                                    / weights;
        };
    }

    private static boolean isNormalized(RankedTerms ranked) {
        return !"false"
                .equals(
                        ranked.profile()
                                .settings()
                                .properties()
                                .get("nativeRank.useTableNormalization"));
    }

    /**
     * Returns a property for one field, in either of its two forms, else the property for all
     * fields, else an empty string.
     */
    private static String property(RankedTerms ranked, String base, String name, String field) {
        Map<String, String> properties = ranked.profile().settings().properties();
        if (properties.isEmpty()) {
            return "";
        }
        String own = properties.get(base + "." + name + "." + field);
        String ofField = own == null ? properties.get(base + "(" + field + ")." + name) : own;
        String any = ofField == null ? properties.get(base + "." + name) : ofField;
        return any == null ? "" : any;
    }

    private static double number(
            RankedTerms ranked, String base, String name, String field, double otherwise) {
        String said = property(ranked, base, name, field);
        return said.isEmpty() ? otherwise : Properties.parse(base + "." + name, said);
    }

    private static RankTable table(
            RankedTerms ranked, String base, String name, String field, RankTable.Use use) {
        String said = property(ranked, base, name, field);
        RankType type = ranked.ranking(field).type().orElse(RankType.ABOUT);
        return said.isEmpty() ? RankTable.of(type, use) : RankTable.parse(said);
    }

    /** A text field. */
    private static final class Text {
        private final FieldTerms terms;
        private final double weight;
        private final RankTable firsts;
        private final RankTable counts;
        private final double importance;
        private final double maxMatch;
        private final double averageLength;
        private final RankTable near;
        private final RankTable reverse;
        private final double forward;
        private final double maxNear;
        private final TermDistances distances;

        /** The connectedness of each term with the previous term of this field. */
        private final double[] connectedness;

        Text(RankedTerms ranked, String field, FieldTerms terms) {
            this.terms = terms;
            this.weight = ranked.ranking(field).counting();
            boolean normalized = isNormalized(ranked);
            String match = "nativeFieldMatch";
            this.firsts =
                    table(
                            ranked,
                            match,
                            "firstOccurrenceTable",
                            field,
                            RankTable.Use.FIRST_OCCURRENCE);
            this.counts =
                    table(
                            ranked,
                            match,
                            "occurrenceCountTable",
                            field,
                            RankTable.Use.OCCURRENCE_COUNT);
            this.importance = number(ranked, match, "firstOccurrenceImportance", field, 0.5);
            this.averageLength = number(ranked, match, "averageFieldLength", field, 0);
            this.maxMatch =
                    largest(
                            normalized,
                            firsts.max() * importance + counts.max() * (1 - importance));
            String close = "nativeProximity";
            this.near = table(ranked, close, "proximityTable", field, RankTable.Use.PROXIMITY);
            this.reverse =
                    table(
                            ranked,
                            close,
                            "reverseProximityTable",
                            field,
                            RankTable.Use.REVERSE_PROXIMITY);
            this.forward = number(ranked, close, "proximityImportance", field, 0.5);
            this.maxNear =
                    largest(normalized, near.max() * forward + reverse.max() * (1 - forward));
            this.distances = new TermDistances(terms, ranked.elementGap(field));
            this.connectedness = new double[terms.count()];
            for (int i = 1; i < connectedness.length; i++) {
                connectedness[i] = ranked.connectedness(terms.term(i), terms.term(i - 1));
            }
        }

        private static double largest(boolean normalized, double sum) {
            return normalized && sum > 0 ? sum : 1;
        }
    }

    /** An attribute field. */
    private record Attribute(FieldTerms terms, double weight, RankTable table, double max) {}

    /**
     * Computes the parts of the score for one thread. The divisor of a part may be negative,
     * because negative term weights may outweigh the others.
     */
    private static final class Score {
        private final RankedTerms ranked;
        private final List<Text> texts = new ArrayList<>();
        private final List<Attribute> attributes = new ArrayList<>();
        private final List<FieldTerms> all = new ArrayList<>();
        private final double minLength;
        private final int window;

        Score(DocumentTerms terms, List<String> fields) {
            this.ranked = terms.ranked();
            for (String field : fields.isEmpty() ? ranked.fields() : fields) {
                FieldTerms ofField = terms.field(field);
                all.add(ofField);
                double weight = ranked.ranking(field).counting();
                if (weight == 0) {
                    continue;
                }
                if (ranked.isIndexed(field)) {
                    texts.add(new Text(ranked, field, ofField));
                } else {
                    RankTable table =
                            table(
                                    ranked,
                                    "nativeAttributeMatch",
                                    "weightTable",
                                    field,
                                    RankTable.Use.WEIGHT);
                    double max = isNormalized(ranked) && table.max() > 0 ? table.max() : 1;
                    attributes.add(new Attribute(ofField, weight, table, max));
                }
            }
            this.minLength = ranked.property("nativeFieldMatch.minFieldLength", 6);
            this.window = (int) ranked.property("nativeProximity.slidingWindowSize", WINDOW);
        }

        double fieldMatch(int row) {
            double sum = 0;
            double most = 0;
            for (int i = 0; i < texts.size(); i++) {
                texts.get(i).terms.go(row);
            }
            for (int i = 0; i < texts.size(); i++) {
                Text text = texts.get(i);
                FieldTerms fieldTerms = text.terms;
                long length =
                        (long)
                                Math.max(
                                        minLength,
                                        text.averageLength > 0
                                                ? text.averageLength
                                                : fieldTerms.length());
                for (int at = 0; at < fieldTerms.count(); at++) {
                    int term = fieldTerms.term(at);
                    double says = ranked.significance(term) * ranked.weight(term);
                    most += says * text.weight;
                    if (fieldTerms.occurrences(at) > 0) {
                        sum += says * text.weight / text.maxMatch * boost(text, at, length);
                    }
                }
            }
            return most == 0 ? sum : sum / most;
        }

        private static double boost(Text text, int at, long length) {
            long first = (long) text.terms.position(at, 0) * (text.firsts.size() - 1);
            long count = (long) text.terms.occurrences(at) * (text.counts.size() - 1);
            return text.importance * text.firsts.at(first / Math.max(1, length - 1))
                    + (1 - text.importance) * text.counts.at(count / Math.max(1, length));
        }

        double proximity(int row) {
            double sum = 0;
            double weights = 0;
            for (int i = 0; i < texts.size(); i++) {
                Text text = texts.get(i);
                if (text.terms.count() < 2) {
                    continue;
                }
                text.terms.go(row);
                double pairs = 0;
                double most = 0;
                for (int a = 0; a < text.terms.count(); a++) {
                    double connection = 1;
                    int end = Math.min(text.terms.count(), a + window);
                    for (int b = a + 1; b < end; b++) {
                        connection = Math.min(connection, text.connectedness[b]);
                        double weight = weight(text, a, b) * connection / (b - a);
                        if (weight != 0) {
                            most += weight;
                            pairs += weight * near(text, a, b);
                        }
                    }
                }
                if (most != 0) {
                    weights += text.weight;
                    sum += text.weight * pairs / most;
                }
            }
            return weights == 0 ? 0 : sum / weights;
        }

        private double weight(Text text, int a, int b) {
            int first = text.terms.term(a);
            int second = text.terms.term(b);
            return ranked.significance(first) * ranked.weight(first)
                    + ranked.significance(second) * ranked.weight(second);
        }

        private static double near(Text text, int a, int b) {
            text.distances.measure(a, b);
            return (text.forward * text.near.at(index(text.distances.forward()))
                            + (1 - text.forward) * text.reverse.at(index(text.distances.reverse())))
                    / text.maxNear;
        }

        private static long index(long distance) {
            return Math.max(distance - 1, 0);
        }

        double attributeMatch(int row) {
            double sum = 0;
            double most = 0;
            for (int i = 0; i < attributes.size(); i++) {
                Attribute attribute = attributes.get(i);
                FieldTerms fieldTerms = attribute.terms;
                fieldTerms.go(row);
                for (int at = 0; at < fieldTerms.count(); at++) {
                    double weight = attribute.weight * ranked.weight(fieldTerms.term(at));
                    most += weight;
                    if (fieldTerms.isFound(at)) {
                        double match = fieldTerms.weight(at);
                        double counts = attribute.table.at((long) Math.abs(match));
                        sum += weight * (match < 0 ? -counts : counts) / attribute.max;
                    }
                }
            }
            return most == 0 ? 0 : sum / most;
        }

        double dotProduct(int row) {
            double sum = 0;
            for (int i = 0; i < all.size(); i++) {
                FieldTerms fieldTerms = all.get(i);
                fieldTerms.go(row);
                for (int at = 0; at < fieldTerms.count(); at++) {
                    if (fieldTerms.isFound(at)) {
                        double weight =
                                fieldTerms.occurrences(at) > 0
                                        ? fieldTerms.weight(at, 0)
                                        : fieldTerms.weight(at);
                        sum += weight * ranked.weight(fieldTerms.term(at));
                    }
                }
            }
            return sum;
        }
    }
}
