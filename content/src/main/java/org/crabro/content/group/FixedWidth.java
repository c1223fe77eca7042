package org.crabro.content.group;

/** The number of the range that a value lies in, of ranges of one width that begin at 0. */
final class FixedWidth extends Evaluator {
    /** Below it a double holds every whole number, and quotients are off by one at most. */
    private static final int EXACT_BITS = 51;

    private static final long EXACT = 1L << EXACT_BITS;

    /** How far the sign of a number is shifted to fill it. */
    private static final int SIGN = Long.SIZE - 1;

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

    /*
     * A multiplication is several times as fast as a division; what it misses by, one at most, is
     * put right by the signs of what is left. The loop has no branches, so that it uses the
     * machine's vectors; whether all values were small enough is looked at behind it.
     */
    static void divide(long[] from, long[] into, int size, long width) {
        double inverse = 1.0 / width;
        long bits = width;
        for (int i = 0; i < size; i++) {
            long value = from[i];
            bits |= value + EXACT;
            long quotient = (long) (value * inverse);
            long rest = value - quotient * width;
            into[i] = quotient + (rest >> SIGN) - ((width - 1 - rest) >> SIGN);
        }
        if (bits >>> (EXACT_BITS + 1) != 0) {
            for (int i = 0; i < size; i++) {
                into[i] = Math.floorDiv(from[i], width);
            }
        }
    }
}
