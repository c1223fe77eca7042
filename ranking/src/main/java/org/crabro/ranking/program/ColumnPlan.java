package org.crabro.ranking.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Which column of scratch memory each step writes to. A column is used again once its last reader
 * has run, so that a long program works in few columns, which stay in the cache. The columns of
 * constants are filled once and never written again.
 */
final class ColumnPlan {
    /** The column of tensors, and of the last step, which writes to the scores. */
    private static final int NONE = -1;

    /** By step. */
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
        List<List<Integer>> ending = ending(steps, lastReaders);
        var free = new ArrayDeque<Integer>();
        for (int i = 0; i < columns.length; i++) {
            Step step = steps.get(i);
            ending.get(i).forEach(operand -> free.push(columns[operand]));
            if (i == columns.length - 1 || step.isTensor()) {
                columns[i] = NONE;
            } else if (step instanceof Step.Fixed || free.isEmpty()) {
                columns[i] = count++;
            } else {
                columns[i] = free.pop();
            }
        }
        return new ColumnPlan(columns, count);
    }

    /**
     * Returns for each step the steps whose columns are read for the last time by it or by a step
     * that it evaluates.
     */
    private static List<List<Integer>> ending(List<Step> steps, int[] lastReaders) {
        List<List<Integer>> ending = new ArrayList<>();
        steps.forEach(_ -> ending.add(new ArrayList<>()));
        for (int i = 0; i < steps.size() - 1; i++) {
            Step step = steps.get(i);
            if (!(step instanceof Step.Fixed) && !step.isTensor()) {
                ending.get(lastReaders[i]).add(i);
            }
        }
        return ending;
    }

    /** A tensor is computed when it is read, and reads its own operands then. */
    private static int[] lastReaders(List<Step> steps) {
        int[] readers = new int[steps.size()];
        readers[steps.size() - 1] = steps.size() - 1;
        for (int i = steps.size() - 1; i >= 0; i--) {
            int reader = steps.get(i).isTensor() ? readers[i] : i;
            for (int operand : steps.get(i).operands()) {
                readers[operand] = Math.max(readers[operand], reader);
            }
        }
        return readers;
    }
}
