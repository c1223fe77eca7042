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
}
