package org.crabro.content.search.group;

import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;

/**
 * Applies an arithmetic function to two operands. A single value is combined with each value of the
 * other operand. Two lists are combined element by element; the remaining elements of the longer
 * list are unchanged.
 */
final class Arithmetic extends Evaluator {
    private final GroupFunction function;
    private final Evaluator left;
    private final Evaluator right;

    Arithmetic(GroupFunction function, Evaluator left, Evaluator right) {
        super(
                kind(function, left, right),
                left.many() || right.many(),
                scope(left, right),
                LONG_WIDTH);
        this.function = function;
        this.left = left;
        this.right = right;
    }

    private static ValueKind kind(GroupFunction function, Evaluator left, Evaluator right) {
        if (GroupMath.isReal(function)) {
            return ValueKind.REAL;
        }
        boolean real = left.kind() == ValueKind.REAL || right.kind() == ValueKind.REAL;
        return real && !GroupMath.isBitwise(function) ? ValueKind.REAL : ValueKind.WHOLE;
    }

    private static int scope(Evaluator left, Evaluator right) {
        if (!left.many()) {
            return right.scope;
        }
        return !right.many() || left.scope == right.scope ? left.scope : NO_SCOPE;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values a = left.evaluate(batch);
        Values b = right.evaluate(batch);
        if (!a.many && !b.many) {
            values.one(batch.count);
            one(a, b, batch.count);
            return values;
        }
        values.begin(batch.count);
        for (int row = 0; row < batch.count; row++) {
            values.row(row);
            many(a, b, row);
        }
        values.finish();
        return values;
    }

    private void one(Values a, Values b, int count) {
        if (kind() == ValueKind.REAL) {
            double[] into = values.doubles;
            for (int i = 0; i < count; i++) {
                into[i] = GroupMath.apply(function, a.number(i), b.number(i));
            }
        } else if (a.kind == ValueKind.REAL || b.kind == ValueKind.REAL) {
            for (int i = 0; i < count; i++) {
                values.longs[i] = GroupMath.apply(function, whole(a, i), whole(b, i));
            }
        } else {
            whole(a.longs, b.longs, values.longs, count);
        }
    }

    /* The switch over the function is outside of the loops. */
    private void whole(long[] a, long[] b, long[] into, int count) {
        switch (function) {
            case ADD -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] + b[i];
                }
            }
            case SUB -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] - b[i];
                }
            }
            case MUL -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] * b[i];
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = GroupMath.apply(function, a[i], b[i]);
                }
            }
        }
    }

    private static long whole(Values values, int index) {
        return values.kind == ValueKind.REAL
                ? GroupMath.whole(values.doubles[index])
                : values.longs[index];
    }

    private void many(Values a, Values b, int row) {
        int from = a.start(row);
        int count = a.end(row) - from;
        int otherFrom = b.start(row);
        int otherCount = b.end(row) - otherFrom;
        if (count == 0 || otherCount == 0) {
            // If one operand is empty, a single value has no result, and a list is unchanged.
            boolean stays = a.many && b.many;
            for (int i = 0; stays && i < count; i++) {
                keep(a, from + i);
            }
            for (int i = 0; stays && i < otherCount; i++) {
                keep(b, otherFrom + i);
            }
            return;
        }
        int size = Math.max(count, otherCount);
        for (int i = 0; i < size; i++) {
            if (i >= count && count > 1) {
                keep(b, otherFrom + i);
            } else if (i >= otherCount && otherCount > 1) {
                keep(a, from + i);
            } else {
                add(a, from + Math.min(i, count - 1), b, otherFrom + Math.min(i, otherCount - 1));
            }
        }
    }

    private void add(Values a, int index, Values b, int otherIndex) {
        int position = position(a, index, b, otherIndex);
        if (kind() == ValueKind.REAL) {
            values.add(GroupMath.apply(function, a.number(index), b.number(otherIndex)), position);
        } else {
            values.add(GroupMath.apply(function, whole(a, index), whole(b, otherIndex)), position);
        }
    }

    private int position(Values a, int index, Values b, int otherIndex) {
        if (scope == NO_SCOPE) {
            return 0;
        }
        return a.many ? a.positions[index] : b.positions[otherIndex];
    }

    private void keep(Values from, int index) {
        int position = scope == NO_SCOPE ? 0 : from.positions[index];
        if (kind() == ValueKind.REAL) {
            values.add(from.number(index), position);
        } else {
            values.add(whole(from, index), position);
        }
    }
}
