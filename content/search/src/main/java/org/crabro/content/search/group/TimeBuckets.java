package org.crabro.content.search.group;

import java.time.ZoneId;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.TimeWidth;

/**
 * Computes the start of the period that contains a time, in seconds since the epoch. Periods follow
 * the clocks and calendar of a time zone: a number of seconds, minutes or hours that divides a day,
 * days, weeks from Monday, months or years. For one thread.
 */
final class TimeBuckets extends Evaluator {
    private final Evaluator operand;
    private final TimeWidth unit;
    private final ZoneId zone;

    // The last period that was used; the initial one is empty.
    private TimeWidth.Span span = new TimeWidth.Span(0, 1, 0);

    TimeBuckets(Evaluator operand, TimeWidth unit, ZoneId zone) {
        super(ValueKind.WHOLE, operand);
        this.operand = operand;
        this.unit = unit;
        this.zone = zone;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values seconds = operand.evaluate(batch);
        values.shape(seconds);
        int size = seconds.size();
        boolean real = seconds.kind == ValueKind.REAL;
        for (int i = 0; i < size; i++) {
            long second = real ? GroupMath.whole(seconds.doubles[i]) : seconds.longs[i];
            if (second < span.from() || second >= span.to()) {
                span = unit.at(second, zone);
            }
            values.longs[i] = span.start();
        }
        return values;
    }
}
