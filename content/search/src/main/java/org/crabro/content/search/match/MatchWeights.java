package org.crabro.content.search.match;

import org.crabro.content.storage.block.column.Column;

/** Computes the weight of a match of a condition in a value. */
final class MatchWeights {
    private MatchWeights() {}

    /**
     * Returns the weight of a match of {@code test} in a value that matches. For elements it is the
     * sum of their weights.
     */
    static double of(ValuePredicate test, BlockScan scan, Column column, int index) {
        return switch (test) {
            case ValuePredicate.AnyElement any -> ofElements(any, scan, column, index);
            case ValuePredicate.Product product -> product.sum(scan, column, index);
            case ValuePredicate.Among(NumberKeys keys) -> (double) keys.weightOf(column, index);
            case ValuePredicate.Text(int textPredicate) when column instanceof Column.Texts texts ->
                    (double) scan.textMatcher(textPredicate).weight(texts, index);
            default -> 1;
        };
    }

    private static double ofElements(
            ValuePredicate.AnyElement any, BlockScan scan, Column column, int index) {
        int end = ValuePredicate.AnyElement.end(column, index);
        double sum = 0;
        for (int at = ValuePredicate.AnyElement.first(column, index); at < end; at++) {
            if (any.element().test(scan, column, at)) {
                sum +=
                        column instanceof Column.WeightedSets sets
                                ? sets.weights().values().get(Layouts.INT, (long) at << 2)
                                : 1;
            }
        }
        return sum;
    }

    /**
     * Returns the condition on one element if {@code test} is a condition on a collection, else
     * {@code test}.
     */
    static ValuePredicate ofOne(ValuePredicate test) {
        return test instanceof ValuePredicate.AnyElement any
                        && any.element()
                                instanceof ValuePredicate.OfElement(_, ValuePredicate inner)
                ? inner
                : test;
    }

    /** Adds the weights of the keys that {@code test} finds in a value. */
    static void addKeys(
            ValuePredicate test, BlockScan scan, Column column, int index, KeyWeights into) {
        if (!(test instanceof ValuePredicate.AnyElement any)) {
            addKey(test, scan, column, index, into);
            return;
        }
        if (any.element() instanceof ValuePredicate.OfElement(var part, var inner)) {
            Column elements = part.of(column);
            int end = ValuePredicate.AnyElement.end(column, index);
            for (int at = ValuePredicate.AnyElement.first(column, index); at < end; at++) {
                addKey(inner, scan, elements, at, into);
            }
        }
    }

    private static void addKey(
            ValuePredicate test, BlockScan scan, Column column, int index, KeyWeights into) {
        long weight =
                test instanceof ValuePredicate.Among(NumberKeys keys)
                        ? keys.weightOf(column, index)
                        : test instanceof ValuePredicate.Text(int textPredicate)
                                        && column instanceof Column.Texts texts
                                        && texts.presence().has(index)
                                ? scan.textMatcher(textPredicate).weight(texts, index)
                                : NumberKeys.NONE;
        if (weight != NumberKeys.NONE) {
            into.add((int) weight);
        }
    }
}
