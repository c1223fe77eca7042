package org.crabro.content.search.group;

import java.util.Arrays;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/** Functions of all values of a row: their number and their order. */
final class ListFunction extends Evaluator {
    private final GroupFunction function;
    private final Evaluator operand;
    private int[] order = {};

    ListFunction(GroupFunction function, Evaluator operand) {
        super(
                function == GroupFunction.SIZE ? ValueKind.WHOLE : operand.kind(),
                function != GroupFunction.SIZE && operand.many(),
                NO_SCOPE,
                operand.width);
        this.function = function;
        this.operand = operand;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        if (function == GroupFunction.SIZE) {
            values.one(batch.count);
            for (int row = 0; row < batch.count; row++) {
                values.longs[row] = (long) from.end(row) - from.start(row);
            }
            return values;
        }
        if (!from.many) {
            return from;
        }
        values.begin(batch.count);
        for (int row = 0; row < batch.count; row++) {
            values.row(row);
            int start = from.start(row);
            int count = from.end(row) - start;
            arrange(from, start, count, batch.texts);
            for (int i = 0; i < count; i++) {
                values.add(from, order[i]);
            }
        }
        values.finish();
        return values;
    }

    private void arrange(Values from, int start, int count, TextPool texts) {
        if (order.length < count) {
            order = new int[count];
        }
        for (int i = 0; i < count; i++) {
            order[i] = function == GroupFunction.REVERSE ? start + count - 1 - i : start + i;
        }
        if (function == GroupFunction.SORT) {
            Integer[] sorted = Arrays.stream(order, 0, count).boxed().toArray(Integer[]::new);
            Arrays.sort(sorted, (a, b) -> compare(from, a, b, texts));
            for (int i = 0; i < count; i++) {
                order[i] = sorted[i];
            }
        }
    }

    private static int compare(Values from, int a, int b, TextPool texts) {
        return switch (from.kind) {
            case WHOLE, TRUTH -> Long.compare(from.longs[a], from.longs[b]);
            case REAL -> GroupMath.compare(from.doubles[a], from.doubles[b]);
            case TEXT, RAW -> texts.compare(from.texts[a], from.texts[b]);
        };
    }
}
