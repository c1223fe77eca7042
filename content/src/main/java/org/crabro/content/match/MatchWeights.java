package org.crabro.content.match;

import org.crabro.content.run.Column;

/** How much what a condition finds in a value weighs. */
final class MatchWeights {
    private MatchWeights() {}

    /**
     * Returns the weight of what {@code test} finds in a value, which matches it: of elements, the
     * sum of theirs.
     */
    static double of(ValueTest test, BlockScan scan, Column column, int index) {
        return switch (test) {
            case ValueTest.AnyElement any -> ofElements(any, scan, column, index);
            case ValueTest.Product product -> product.sum(scan, column, index);
            case ValueTest.Among(NumberKeys keys) -> (double) keys.weightOf(column, index);
            case ValueTest.Text(int probe) when column instanceof Column.Texts texts ->
                    (double) scan.probe(probe).weight(texts, index);
            case ValueTest.Text _,
                    ValueTest.InRange _,
                    ValueTest.NearElements _,
                    ValueTest.Place _,
                    ValueTest.OfElement _,
                    ValueTest.Member _,
                    ValueTest.Every _,
                    ValueTest.Any _,
                    ValueTest.Except _ ->
                    1;
        };
    }

    private static double ofElements(
            ValueTest.AnyElement any, BlockScan scan, Column column, int index) {
        int end = ValueTest.AnyElement.end(column, index);
        double sum = 0;
        for (int at = ValueTest.AnyElement.first(column, index); at < end; at++) {
            if (any.element().test(scan, column, at)) {
                sum +=
                        column instanceof Column.WeightedSets sets
                                ? sets.weights().values().get(Layouts.INT, (long) at << 2)
                                : 1;
            }
        }
        return sum;
    }

    /** Returns what is asked of a value, or of each element where it is a collection. */
    static ValueTest ofOne(ValueTest test) {
        return test instanceof ValueTest.AnyElement any
                        && any.element() instanceof ValueTest.OfElement(_, ValueTest inner)
                ? inner
                : test;
    }

    /** Adds the weights of the keys that {@code test} finds in a value. */
    static void addKeys(ValueTest test, BlockScan scan, Column column, int index, KeyWeights into) {
        if (!(test instanceof ValueTest.AnyElement any)) {
            addKey(test, scan, column, index, into);
            return;
        }
        if (any.element() instanceof ValueTest.OfElement(var part, var inner)) {
            Column elements = part.of(column);
            int end = ValueTest.AnyElement.end(column, index);
            for (int at = ValueTest.AnyElement.first(column, index); at < end; at++) {
                addKey(inner, scan, elements, at, into);
            }
        }
    }

    private static void addKey(
            ValueTest test, BlockScan scan, Column column, int index, KeyWeights into) {
        long weight =
                test instanceof ValueTest.Among(NumberKeys keys)
                        ? keys.weightOf(column, index)
                        : test instanceof ValueTest.Text(int probe)
                                        && column instanceof Column.Texts texts
                                        && texts.presence().has(index)
                                ? scan.probe(probe).weight(texts, index)
                                : NumberKeys.NONE;
        if (weight != NumberKeys.NONE) {
            into.add((int) weight);
        }
    }
}
