package org.crabro.ranking.program;

import java.util.Arrays;
import java.util.List;

/** Runs the steps of a program one after another, each over the whole batch. */
final class BatchEvaluation implements RankProgram.Evaluation {
    private final Step[] steps;
    private final ColumnPlan plan;
    private final int capacity;
    private final double[][] columns;

    BatchEvaluation(List<Step> steps, ColumnPlan plan, int capacity) {
        this.steps = steps.toArray(Step[]::new);
        this.plan = plan;
        this.capacity = capacity;
        columns = new double[plan.count()][capacity];
        for (int i = 0; i < steps.size() - 1; i++) {
            if (steps.get(i) instanceof Step.Fixed(double value)) {
                Arrays.fill(column(i), value);
            }
        }
    }

    @Override
    public void evaluate(FeatureValues values, int count, double[] scores) {
        if (count > capacity || count > scores.length) {
            throw new IllegalArgumentException(
                    "%d documents, but room for %d and %d scores"
                            .formatted(count, capacity, scores.length));
        }
        for (int i = 0; i < steps.length; i++) {
            boolean isLast = i == steps.length - 1;
            run(steps[i], values, count, isLast ? scores : column(i), isLast);
        }
    }

    private void run(Step step, FeatureValues values, int count, double[] into, boolean isLast) {
        switch (step) {
            case Step.Fixed(double value) -> {
                if (isLast) {
                    Arrays.fill(into, 0, count, value);
                }
            }
            case Step.Read(int slot) -> values.read(slot, into, count);
            case Step.Apply(Operation operation, int first, int second) ->
                    operation.apply(column(first), column(second), into, count);
            case Step.Choose(int condition, int then, int otherwise) ->
                    choose(column(condition), column(then), column(otherwise), into, count);
            case Step.Contained(int operand, Step.Choices choices) -> {
                double[] from = column(operand);
                for (int i = 0; i < count; i++) {
                    into[i] = choices.contains(from[i]) ? 1 : 0;
                }
            }
        }
    }

    private static void choose(
            double[] condition, double[] then, double[] otherwise, double[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = condition[i] != 0 ? then[i] : otherwise[i];
        }
    }

    private double[] column(int step) {
        return columns[plan.column(step)];
    }
}
