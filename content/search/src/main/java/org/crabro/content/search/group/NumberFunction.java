package org.crabro.content.search.group;

import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/** Functions of one number, applied to each value. */
final class NumberFunction extends Evaluator {
    private final GroupFunction function;
    private final Evaluator operand;

    /**
     * @param kind of the result
     */
    NumberFunction(GroupFunction function, ValueKind kind, Evaluator operand) {
        super(kind, operand);
        this.function = function;
        this.operand = operand;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        if (kind() == ValueKind.REAL) {
            for (int i = 0; i < size; i++) {
                values.doubles[i] =
                        function == GroupFunction.TO_DOUBLE
                                ? from.number(i)
                                : GroupMath.apply(function, from.number(i));
            }
            return values;
        }
        boolean real = from.kind == ValueKind.REAL;
        for (int i = 0; i < size; i++) {
            long number = real ? GroupMath.whole(from.doubles[i]) : from.longs[i];
            values.longs[i] =
                    switch (function) {
                        case NEG -> -number;
                        case ZCURVE_X -> everySecondBit(number);
                        case ZCURVE_Y -> everySecondBit(number >>> 1);
                        default -> number;
                    };
        }
        return values;
    }

    /** Returns the bits 0, 2, 4 and so on, as a whole number of 32 bits. */
    private static long everySecondBit(long bits) {
        return (int) Long.compress(bits, 0x5555_5555_5555_5555L);
    }
}
