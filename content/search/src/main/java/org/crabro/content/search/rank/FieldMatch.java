package org.crabro.content.search.rank;

import java.util.Arrays;
import org.crabro.ranking.type.FieldFeature;

/**
 * The feature {@code fieldMatch}: how well a field's text fits the query as a text. Terms are
 * matched in segments of the field, within which they are close to each other. The best
 * segmentation is measured.
 *
 * @param field a text with an index
 */
record FieldMatch(String field) implements RowFeature {
    private static final int LENGTH_LEAST = 6;

    /** The weights of the parts of the score. */
    private record Importances(
            double proximityCompleteness,
            double relatedness,
            double earliness,
            double segmentProximity,
            double occurrence,
            double fieldCompleteness) {
        static Importances of(RankedTerms ranked, String field) {
            String base = "fieldMatch(" + field + ").";
            return new Importances(
                    ranked.property(base + "proximityCompletenessImportance", 0.9),
                    ranked.property(base + "relatednessImportance", 0.9),
                    ranked.property(base + "earlinessImportance", 0.05),
                    ranked.property(base + "segmentProximityImportance", 0.05),
                    ranked.property(base + "occurrenceImportance", 0.05),
                    ranked.property(base + "fieldCompletenessImportance", 0.05));
        }
    }

    @Override
    public int outputCount() {
        return FieldFeature.FIELD_MATCH.outputs().size();
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        RankedTerms ranked = terms.ranked();
        var split = new SplitTerms(ranked, terms.field(field));
        String base = "fieldMatch(" + field + ").";
        var segmentation =
                new Segmentation(
                        split,
                        (int) ranked.property(base + "maxAlternativeSegmentations", 1_000),
                        terms.scan().work());
        double maxOccurrences = ranked.property(base + "maxOccurrences", 100);
        return new Measure(
                        split, segmentation, ranked, Importances.of(ranked, field), maxOccurrences)
                ::compute;
    }

    /** Combines the measurements into the outputs. For one thread. */
    private static final class Measure {
        private final SplitTerms terms;
        private final Segmentation segmentation;
        private final Importances importances;

        /** More occurrences of a term do not count. */
        private final double maxOccurrences;

        private final double allWeights;
        private final double allSignificances;

        Measure(
                SplitTerms terms,
                Segmentation segmentation,
                RankedTerms ranked,
                Importances importances,
                double maxOccurrences) {
            this.maxOccurrences = maxOccurrences;
            this.terms = terms;
            this.segmentation = segmentation;
            this.importances = importances;
            double weights = 0;
            double significances = 0;
            for (int term = 0; term < ranked.count(); term++) {
                int words = terms.wordCount(term);
                weights += (double) words * ranked.weight(term);
                significances += words * ranked.significance(term);
            }
            this.allWeights = weights;
            this.allSignificances = significances;
        }

        void compute(int row, double[] outputs) {
            terms.go(row);
            Arrays.fill(outputs, 0);
            int length = terms.length();
            if (length == 0 || !hasMatch()) {
                return;
            }
            Segments best = segmentation.best();
            double weight = share(best.weight, allWeights);
            double significance = share(best.significance, allSignificances);
            double matches = Math.min(best.matches, length);
            double proximity = best.absoluteProximity() / averageConnectedness();
            double queryCompleteness = matches / terms.count();
            double fieldCompleteness = matches / length;
            double completeness =
                    queryCompleteness * (1 - importances.fieldCompleteness)
                            + importances.fieldCompleteness * fieldCompleteness;
            double relatedness = matches == 1 ? 1 : 1 - (best.segments - 1) / (matches - 1);
            double earliness =
                    length == 1 ? 1 : 1 - best.head / (Math.max((double) LENGTH_LEAST, length) - 1);
            double segmentDistance = best.segmentDistance();
            double segmentProximity = 1 - segmentDistance / length;
            double occurrence = occurrence(length);
            double score =
                    (importances.proximityCompleteness
                                            * (1
                                                    - importances.relatedness
                                                    + importances.relatedness * relatedness)
                                            * proximity
                                            * completeness
                                            * completeness
                                    + importances.earliness * earliness
                                    + importances.segmentProximity * segmentProximity
                                    + importances.occurrence * occurrence)
                            / (importances.proximityCompleteness
                                    + importances.earliness
                                    + importances.segmentProximity
                                    + importances.occurrence);
            double[] values = {
                score,
                completeness,
                queryCompleteness,
                fieldCompleteness,
                best.pairs > 0 ? 1 - (double) best.outOfOrder / best.pairs : 1,
                relatedness,
                proximity,
                best.absoluteProximity(),
                best.pairs > 0 ? best.unweightedProximity / best.pairs : 1,
                earliness,
                best.longestSequence / matches,
                segmentProximity,
                occurrence,
                absoluteOccurrence(),
                weightedOccurrence(length, false),
                weightedAbsoluteOccurrence(),
                weightedOccurrence(length, true),
                weight,
                significance,
                (weight + significance) / 2,
                best.segments,
                matches,
                0,
                best.outOfOrder,
                best.gaps,
                best.gapLength,
                best.longestSequence,
                best.head,
                best.tail,
                segmentDistance
            };
            System.arraycopy(values, 0, outputs, 0, outputs.length);
        }

        private boolean hasMatch() {
            for (int i = 0; i < terms.count(); i++) {
                if (terms.occurrences(i) > 0) {
                    return true;
                }
            }
            return false;
        }

        private static double share(double part, double all) {
            return all > 0 ? part / all : 0;
        }

        private double averageConnectedness() {
            double sum = 0;
            for (int i = 1; i < terms.count(); i++) {
                sum += Math.max(RankedTerms.CONNECTEDNESS, terms.connectedness(i));
            }
            return terms.count() > 1 ? sum / (terms.count() - 1) : RankedTerms.CONNECTEDNESS;
        }

        private int matchedTerms() {
            int count = 0;
            for (int i = 0; i < terms.count(); i++) {
                count += terms.occurrences(i) > 0 && !terms.isRepeated(i) ? 1 : 0;
            }
            return count;
        }

        private double capped(int term) {
            return terms.isRepeated(term) ? 0 : Math.min(maxOccurrences, terms.occurrences(term));
        }

        private double occurrence(int length) {
            double sum = 0;
            for (int i = 0; i < terms.count(); i++) {
                sum += capped(i);
            }
            return sum / Math.min(length, maxOccurrences * matchedTerms());
        }

        private double absoluteOccurrence() {
            double sum = 0;
            for (int i = 0; i < terms.count(); i++) {
                sum += capped(i);
            }
            return sum / (maxOccurrences * matchedTerms());
        }

        private double weightedOccurrence(int length, boolean bySignificance) {
            double sum = 0;
            double most = 0;
            for (int i = 0; i < terms.count(); i++) {
                if (terms.occurrences(i) > 0 && !terms.isRepeated(i)) {
                    double weight = bySignificance ? terms.significance(i) : terms.weight(i);
                    sum += capped(i) * weight;
                    most += Math.min(length, maxOccurrences) * weight;
                }
            }
            return share(sum, most);
        }

        private double weightedAbsoluteOccurrence() {
            double sum = 0;
            double most = 0;
            for (int i = 0; i < terms.count(); i++) {
                if (terms.occurrences(i) > 0 && !terms.isRepeated(i)) {
                    sum += capped(i) * terms.weight(i) / maxOccurrences;
                    most += terms.weight(i);
                }
            }
            return share(sum, most);
        }
    }
}
