package org.crabro.content.search.group;

import java.util.Arrays;
import org.crabro.protocol.grouping.GroupValue;

/** Evaluates to the same value for every row. */
final class Constants extends Evaluator {
    private final GroupValue value;

    /**
     * @param value a number or a text
     */
    Constants(GroupValue value) {
        super(kind(value), false, NO_SCOPE, LONG_WIDTH);
        this.value = value;
    }

    private static ValueKind kind(GroupValue value) {
        return switch (value) {
            case GroupValue.Whole _ -> ValueKind.WHOLE;
            case GroupValue.Real _ -> ValueKind.REAL;
            case GroupValue.Text _ -> ValueKind.TEXT;
            case GroupValue.Truth _, GroupValue.Raw _, GroupValue.Quantiles _ ->
                    throw new IllegalArgumentException("no constant: " + value);
        };
    }

    @Override
    Values evaluate(RowBatch batch) {
        values.one(batch.count);
        switch (value) {
            case GroupValue.Whole(long number) -> Arrays.fill(values.longs, 0, batch.count, number);
            case GroupValue.Text(var text) ->
                    Arrays.fill(values.texts, 0, batch.count, batch.texts.number(text));
            case GroupValue.Real(double number) ->
                    Arrays.fill(values.doubles, 0, batch.count, number);
            case GroupValue.Truth _, GroupValue.Raw _, GroupValue.Quantiles _ ->
                    throw new IllegalStateException("no constant: " + value);
        }
        return values;
    }
}
