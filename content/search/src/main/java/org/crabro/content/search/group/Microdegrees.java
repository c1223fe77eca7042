package org.crabro.content.search.group;

import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/**
 * Computes a coordinate of positions in millionths of a degree. The coordinates of a missing
 * position in mode index are those of the smallest long, which stands for it. Only the highest bit
 * of this number is set. The bit belongs to the coordinate y.
 */
final class Microdegrees extends Evaluator {
    private static final double PER_DEGREE = 1e6;

    private final Evaluator degrees;
    private final long missing;

    /**
     * @param degrees the latitudes or longitudes of positions; NaN for missing ones
     */
    Microdegrees(GroupFunction function, Evaluator degrees) {
        super(ValueKind.WHOLE, degrees);
        this.degrees = degrees;
        this.missing = function == GroupFunction.ZCURVE_Y ? Integer.MIN_VALUE : 0;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = degrees.evaluate(batch);
        values.shape(from);
        int size = from.size();
        for (int i = 0; i < size; i++) {
            double degree = from.doubles[i];
            values.longs[i] = Double.isNaN(degree) ? missing : GroupMath.whole(degree * PER_DEGREE);
        }
        return values;
    }
}
