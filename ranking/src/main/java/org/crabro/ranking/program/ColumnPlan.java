package org.crabro.ranking.program;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Which column of scratch memory each step writes to. A column is used again once its last reader
 * has run, so that a long program works in few columns, which stay in the cache. The columns of
 * constants are filled once and never written again.
 */
final class ColumnPlan {
    private static final int SCORES = -1;

    /** By step. The last one has no column, for it writes to the scores. */
    private final int[] columns;

    private final int count;

    private ColumnPlan(int[] columns, int count) {
        this.columns = columns;
        this.count = count;
    }

    /** Returns how many columns there are. */
    int count() {
        return count;
    }

    /** Returns the column that {@code step}, which is not the last, writes to. */
    int column(int step) {
        return columns[step];
    }

    static ColumnPlan of(List<Step> steps) {
        int[] lastReaders = lastReaders(steps);
        int[] columns = new int[steps.size()];
        int count = 0;
        var free = new ArrayDeque<Integer>();
        for (int i = 0; i < columns.length; i++) {
            Step step = steps.get(i);
            int reader = i;
            Arrays.stream(step.operands())
                    .distinct()
                    .filter(operand -> lastReaders[operand] == reader)
                    .filter(operand -> !(steps.get(operand) instanceof Step.Fixed))
                    .forEach(operand -> free.push(columns[operand]));
            if (i == columns.length - 1) {
                columns[i] = SCORES;
            } else if (step instanceof Step.Fixed || free.isEmpty()) {
                columns[i] = count++;
            } else {
                columns[i] = free.pop();
            }
        }
        return new ColumnPlan(columns, count);
    }

    private static int[] lastReaders(List<Step> steps) {
        int[] readers = new int[steps.size()];
        for (int i = 0; i < steps.size(); i++) {
            for (int operand : steps.get(i).operands()) {
                readers[operand] = i;
            }
        }
        return readers;
    }
}
