package org.crabro.content.search.group;

import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/**
 * Returns the element of an array at an index, the nearest element for indexes out of range. As an
 * interpolated lookup it does the inverse: it returns the index of a number among the rising
 * elements of an array, with a fraction between two elements.
 */
final class ElementAt extends Evaluator {
    private final boolean isLookup;
    private final Evaluator array;
    private final Evaluator argument;

    ElementAt(GroupFunction function, Evaluator array, Evaluator argument) {
        super(
                function == GroupFunction.INTERPOLATED_LOOKUP ? ValueKind.REAL : array.kind(),
                true,
                NO_SCOPE,
                array.width);
        this.isLookup = function == GroupFunction.INTERPOLATED_LOOKUP;
        this.array = array;
        this.argument = argument;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = array.evaluate(batch);
        Values target = argument.evaluate(batch);
        values.begin(batch.count);
        for (int row = 0; row < batch.count; row++) {
            values.row(row);
            int start = from.start(row);
            int end = from.end(row);
            if (start < end && target.start(row) < target.end(row)) {
                double number = target.number(target.start(row));
                if (isLookup) {
                    values.add(lookup(from, start, end, number), 0);
                } else {
                    long index = Math.clamp(GroupMath.whole(number), 0, end - start - 1L);
                    values.add(from, start + (int) index);
                }
            }
        }
        values.finish();
        return values;
    }

    private static double lookup(Values from, int start, int end, double number) {
        if (!(number > from.number(start))) {
            return 0;
        }
        for (int i = start + 1; i < end; i++) {
            double upper = from.number(i);
            if (number < upper) {
                double lower = from.number(i - 1);
                return i - 1 - start + (number - lower) / (upper - lower);
            }
        }
        return end - start - 1;
    }
}
