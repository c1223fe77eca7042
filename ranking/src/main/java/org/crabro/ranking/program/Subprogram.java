package org.crabro.ranking.program;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * A compiled lambda function or generated tensor. Immutable; scratch memory is created for each
 * computed tensor.
 *
 * @param slots the sources of the values that the steps read
 */
record Subprogram(List<Step> steps, List<Slot> slots) {
    /** The source of a value. */
    sealed interface Slot {
        /** A parameter, by its number. */
        record Parameter(int number) implements Slot {}

        /** Something around it: an operand of the operation that this belongs to. */
        record Captured(int operand) implements Slot {}
    }

    TensorType type() {
        return steps.getLast().type();
    }

    /** Returns the result for one tensor as its only parameter. */
    TensorData apply(TensorData parameter, TensorOperands around) {
        var values =
                new Values(around) {
                    @Override
                    void parameter(int number, double[] into, int count) {
                        into[0] = parameter.cells()[0];
                    }

                    @Override
                    TensorData parameter(int number) {
                        return parameter;
                    }
                };
        return new BatchEvaluation(steps, ColumnPlan.of(steps), ModelRuns.none(), 1, around.work())
                .tensor(values);
    }

    /** Returns a function of one or two numbers. */
    DoubleBinaryOperator function(TensorOperands around) {
        double[] given = new double[2];
        double[] result = new double[1];
        var values =
                new Values(around) {
                    @Override
                    void parameter(int number, double[] into, int count) {
                        into[0] = given[number];
                    }
                };
        var evaluation =
                new BatchEvaluation(
                        steps, ColumnPlan.of(steps), ModelRuns.none(), 1, around.work());
        return (a, b) -> {
            given[0] = a;
            given[1] = b;
            evaluation.evaluate(values, 1, result);
            return result[0];
        };
    }

    /**
     * Writes a number for each of several parameters.
     *
     * @param parameters columns by number
     */
    void evaluate(double[][] parameters, TensorOperands around, double[] into) {
        int batch = Math.min(into.length, 1_024);
        double[] results = new double[batch];
        var evaluation =
                new BatchEvaluation(
                        steps, ColumnPlan.of(steps), ModelRuns.none(), batch, around.work());
        var values =
                new Values(around) {
                    int from;

                    @Override
                    void parameter(int number, double[] column, int count) {
                        System.arraycopy(parameters[number], from, column, 0, count);
                    }
                };
        for (int from = 0; from < into.length; from += batch) {
            int count = Math.min(batch, into.length - from);
            values.from = from;
            evaluation.evaluate(values, count, results);
            System.arraycopy(results, 0, into, from, count);
        }
    }

    private abstract class Values implements FeatureValues {
        private final TensorOperands around;

        Values(TensorOperands around) {
            this.around = around;
        }

        abstract void parameter(int number, double[] into, int count);

        TensorData parameter(int number) {
            throw new IllegalStateException("parameter " + number + " is a number");
        }

        @Override
        public void read(int slot, double[] into, int count) {
            switch (slots.get(slot)) {
                case Slot.Parameter(int number) -> parameter(number, into, count);
                case Slot.Captured(int operand) ->
                        Arrays.fill(into, 0, count, around.number(operand));
            }
        }

        @Override
        public TensorData tensor(int slot, int row) {
            return switch (slots.get(slot)) {
                case Slot.Parameter(int number) -> parameter(number);
                case Slot.Captured(int operand) -> around.tensor(operand);
            };
        }
    }
}
