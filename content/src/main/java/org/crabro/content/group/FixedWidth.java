package org.crabro.content.group;

/** The number of the range that a value lies in, of ranges of one width that begin at 0. */
final class FixedWidth extends Evaluator {
    /** Below it a double holds every whole number, and quotients are off by one at most. */
    private static final long EXACT = 1L << 52;

    private final Evaluator operand;
    private final long wholeWidth;
    private final double realWidth;

    FixedWidth(Evaluator operand, long width) {
        super(operand.kind() == ValueKind.REAL ? ValueKind.REAL : ValueKind.WHOLE, operand);
        this.operand = operand;
        this.wholeWidth = width;
        this.realWidth = width;
    }

    FixedWidth(Evaluator operand, double width) {
        super(ValueKind.REAL, operand);
        this.operand = operand;
        this.wholeWidth = 0;
        this.realWidth = width;
    }

    long wholeWidth() {
        return wholeWidth;
    }

    double realWidth() {
        return realWidth;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        if (kind() == ValueKind.REAL) {
            for (int i = 0; i < size; i++) {
                values.doubles[i] = Math.floor(from.number(i) / realWidth);
            }
        } else {
            divide(from.longs, values.longs, size, wholeWidth);
        }
        return values;
    }

    /* A multiplication is several times as fast as a division; what it misses by is put right. */
    private static void divide(long[] from, long[] into, int size, long width) {
        double inverse = 1.0 / width;
        for (int i = 0; i < size; i++) {
            long value = from[i];
            if (value > -EXACT && value < EXACT) {
                long quotient = (long) (value * inverse);
                long rest = value - quotient * width;
                into[i] = rest < 0 ? quotient - 1 : rest >= width ? quotient + 1 : quotient;
            } else {
                into[i] = Math.floorDiv(value, width);
            }
        }
    }
}
