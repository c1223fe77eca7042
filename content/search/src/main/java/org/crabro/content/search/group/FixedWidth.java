package org.crabro.content.search.group;

/**
 * Computes the number of the range that contains a value. All ranges have the same width, and range
 * 0 starts at 0.
 */
final class FixedWidth extends Evaluator {
    /**
     * Below 2 to this power, a double represents every whole number, and quotients are off by at
     * most one.
     */
    private static final int EXACT_BITS = 51;

    private static final long EXACT = 1L << EXACT_BITS;

    /** The shift that fills a number with its sign bit. */
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
     * A multiplication by the inverse is several times faster than a division. The result is off by
     * at most one, which is corrected by the sign of the remainder. The loop has no branches, so
     * that it is vectorized. Whether all values were small enough is checked after the loop.
     */
    static void divide(long[] from, long[] into, int size, long width) {
        double inverse = 1.0 / width;
        long bits = width;
        for (int i = 0; i < size; i++) {
            long value = from[i];
            bits |= value + EXACT;
            long quotient = (long) (value * inverse);
            long remainder = value - quotient * width;
            into[i] = quotient + (remainder >> SIGN) - ((width - 1 - remainder) >> SIGN);
        }
        if (bits >>> (EXACT_BITS + 1) != 0) {
            for (int i = 0; i < size; i++) {
                into[i] = Math.floorDiv(from[i], width);
            }
        }
    }
}
