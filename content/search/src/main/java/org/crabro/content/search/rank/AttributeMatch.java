package org.crabro.content.search.rank;

import java.util.Arrays;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.storage.block.column.Column;
import org.crabro.ranking.type.FieldFeature;
import org.jspecify.annotations.Nullable;

/**
 * The feature {@code attributeMatch}: how well an attribute's values and the query cover each
 * other.
 *
 * @param column the attribute, by {@link org.crabro.content.search.query.QueryFields}
 */
record AttributeMatch(String field, int column) implements RowFeature {
    @Override
    public int outputCount() {
        return FieldFeature.ATTRIBUTE_MATCH.outputs().size();
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        RankedTerms ranked = terms.ranked();
        FieldTerms fieldTerms = terms.field(field);
        String base = "attributeMatch(" + field + ").";
        double importance = ranked.property(base + "fieldCompletenessImportance", 0.05);
        double maxWeight = ranked.property(base + "maxWeight", 256);
        int[] others = ranked.searchingAttributes();
        double otherWeights = 0;
        for (int term : others) {
            otherWeights += ranked.weight(term);
        }
        double weights = 0;
        double significances = 0;
        for (int term = 0; term < ranked.count(); term++) {
            weights += ranked.weight(term);
            significances += ranked.significance(term);
        }
        var all =
                new All(importance, maxWeight, others.length, otherWeights, weights, significances);
        return (row, outputs) -> {
            fieldTerms.go(row);
            compute(terms.scan(), row, fieldTerms, ranked, all, outputs);
        };
    }

    /**
     * The values that are the same for every document.
     *
     * @param others the number of terms that search attributes
     */
    private record All(
            double importance,
            double maxWeight,
            int others,
            double otherWeights,
            double weights,
            double significances) {}

    private void compute(
            BlockScan scan,
            int row,
            FieldTerms fieldTerms,
            RankedTerms ranked,
            All all,
            double[] outputs) {
        Column values = scan.column(column).orElse(null);
        boolean isSet = values instanceof Column.WeightedSets;
        int matches = 0;
        double total = 0;
        double weighted = 0;
        double weight = 0;
        double significance = 0;
        double largest = 0;
        for (int i = 0; i < fieldTerms.count(); i++) {
            if (!fieldTerms.isFound(i)) {
                continue;
            }
            int term = fieldTerms.term(i);
            double own = isSet ? fieldTerms.weight(i) : 0;
            matches++;
            total += own;
            weighted += own * ranked.weight(term);
            weight += ranked.weight(term);
            significance += ranked.significance(term);
            largest = matches == 1 ? own : Math.max(largest, own);
        }
        Arrays.fill(outputs, 0);
        double ofQuery = fieldTerms.count() == 0 ? 0 : (double) matches / fieldTerms.count();
        double ofField = fieldCompleteness(values, row, matches, total);
        outputs[0] = ofQuery * (1 - all.importance + all.importance * ofField);
        outputs[1] = ofQuery;
        outputs[2] = ofField;
        outputs[3] = all.others == 0 ? 0 : Math.clamp(total / (all.maxWeight * all.others), 0, 1);
        outputs[4] =
                all.otherWeights == 0
                        ? 0
                        : Math.min(1, weighted / (all.maxWeight * all.otherWeights));
        outputs[5] = all.weights == 0 ? 0 : weight / all.weights;
        outputs[6] = all.significances == 0 ? 0 : significance / all.significances;
        outputs[7] = (outputs[5] + outputs[6]) / 2;
        outputs[8] = matches;
        outputs[9] = total;
        outputs[10] = matches == 0 ? 0 : total / matches;
        outputs[11] = largest;
    }

    private static double fieldCompleteness(
            @Nullable Column values, int row, int matches, double total) {
        if (values == null || !values.presence().has(row)) {
            return 0;
        }
        return switch (values) {
            case Column.WeightedSets sets -> {
                double all = 0;
                for (int at = sets.first(row); at < sets.first(row + 1); at++) {
                    all += sets.weights().values().get(Layouts.INT, (long) at << 2);
                }
                yield total <= 0 ? 0 : all <= 0 ? 1 : Math.min(1, total / all);
            }
            case Column.Arrays arrays -> {
                int count = arrays.first(row + 1) - arrays.first(row);
                yield count == 0 ? 0 : Math.min(1, (double) matches / count);
            }
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> Math.min(1, matches);
        };
    }
}
