package org.crabro.content.search.group;

/** Converts times that are counted in parts of seconds to seconds. A missing time stays missing. */
final class Seconds extends Evaluator {
    private final Evaluator operand;
    private final long perSecond;

    Seconds(Evaluator operand, long perSecond) {
        super(ValueKind.WHOLE, operand);
        this.operand = operand;
        this.perSecond = perSecond;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        for (int i = 0; i < size; i++) {
            long number = from.longs[i];
            values.longs[i] = number == Long.MIN_VALUE ? number : Math.floorDiv(number, perSecond);
        }
        return values;
    }
}
