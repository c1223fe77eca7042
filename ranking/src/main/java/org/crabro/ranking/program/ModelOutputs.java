package org.crabro.ranking.program;

import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.crabro.ranking.onnx.ModelRun;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * The outputs of a model for each row of a batch. Each row is computed once, at the first read of
 * any output. For one thread.
 */
final class ModelOutputs {
    /** The units of work of one run of a model for a row. Work is reported between runs. */
    private static final int ROW_UNITS = 8_192;

    private final ModelRun run;
    private final IntConsumer work;
    private final TensorOperands inputs;
    private final int inputCount;

    /** By output; absent for outputs that are not read. */
    private final double[][] cells;

    private final TensorType[] types;
    private final int[] sizes;
    private final int[] wanted;
    private boolean isComputed;

    /** A model, and the steps whose results are its inputs. */
    record Given(RankModel model, List<Integer> inputs) {}

    ModelOutputs(
            RankModel model,
            ModelRuns models,
            Set<Integer> outputs,
            TensorOperands inputs,
            int capacity,
            IntConsumer work) {
        this.work = work;
        this.run = models.start(model, outputs);
        this.inputs = inputs;
        this.inputCount = model.inputs().size();
        this.cells = new double[model.outputs().size()][];
        this.types = new TensorType[cells.length];
        this.sizes = new int[cells.length];
        this.wanted = outputs.stream().mapToInt(Integer::intValue).toArray();
        for (int output : wanted) {
            types[output] = model.outputs().get(output).type();
            sizes[output] = model.outputs().get(output).cellCount();
            cells[output] = new double[Math.multiplyExact(capacity, sizes[output])];
        }
    }

    /** Discards all results, because the next batch has other rows. */
    void startBatch() {
        isComputed = false;
    }

    boolean isComputed() {
        return isComputed;
    }

    /**
     * Runs the model for all rows.
     *
     * @param startRow called before the inputs of a row are read
     */
    void compute(int count, IntConsumer startRow) {
        int rows = run.rows();
        for (int from = 0; from < count; from += rows) {
            int size = Math.min(rows, count - from);
            for (int row = 0; row < size; row++) {
                startRow.accept(from + row);
                for (int input = 0; input < inputCount; input++) {
                    CellBuffer given = inputs.cells(input);
                    run.input(input, row, given.cells(), given.count());
                }
            }
            work.accept(size * ROW_UNITS);
            run.run(size);
            for (int output : wanted) {
                for (int row = 0; row < size; row++) {
                    run.output(output, row, cells[output], (from + row) * sizes[output]);
                }
            }
        }
        isComputed = true;
    }

    /** Returns an output that is a number. */
    double number(int output, int row) {
        return cells[output][row];
    }

    TensorData tensor(int output, int row) {
        var own = new double[sizes[output]];
        System.arraycopy(cells[output], row * own.length, own, 0, own.length);
        return TensorData.dense(types[output], own);
    }

    /** Writes the cells of an output. */
    void cells(int output, int row, CellBuffer into) {
        int size = sizes[output];
        int from = row * size;
        if (into.isFloat()) {
            float[] room = into.floatRoom(size);
            for (int i = 0; i < size; i++) {
                room[i] = (float) cells[output][from + i];
            }
        } else {
            System.arraycopy(cells[output], from, into.room(size), 0, size);
        }
    }
}
