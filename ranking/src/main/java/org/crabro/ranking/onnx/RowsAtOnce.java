package org.crabro.ranking.onnx;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.ranking.onnx.threads.ModelBusyException;

/**
 * Tests whether a model computes several rows at once exactly as it computes each row alone. The
 * first dimension of all inputs and outputs must count rows, all operations must be among {@link
 * #OPERATIONS}, and random rows in calls of every size must give equal bits.
 */
final class RowsAtOnce {
    /** In a larger file, the cost of a call is small compared to the computation. */
    private static final long FILE_BYTES = 4 << 20;

    /** So much memory is used for the rows of one call. */
    private static final long CALL_BYTES = 1 << 20;

    private static final int ROUNDS = 3;

    /**
     * Operations that compute each row of the result from one row of each operand, if the operands
     * have rows or are the same for all rows.
     */
    private static final Set<String> OPERATIONS =
            Set.of(
                    "Abs",
                    "Add",
                    "BatchNormalization",
                    "Cast",
                    "Clip",
                    "Concat",
                    "Constant",
                    "Div",
                    "Elu",
                    "Exp",
                    "Gemm",
                    "Identity",
                    "LeakyRelu",
                    "Log",
                    "MatMul",
                    "Max",
                    "Min",
                    "Mul",
                    "Neg",
                    "Pow",
                    "Relu",
                    "Selu",
                    "Sigmoid",
                    "Softplus",
                    "Sqrt",
                    "Sub",
                    "Tanh");

    private RowsAtOnce() {}

    /** Returns whether the file of a model meets the conditions that can be read from it. */
    static boolean mayBe(ModelSignature signature, long fileBytes) {
        return fileBytes <= FILE_BYTES && OPERATIONS.containsAll(signature.operations());
    }

    /** Returns how many rows calls of a model are for. */
    static int of(RankModel model, RankSession session) {
        return model.hasRows()
                        && ModelBuffers.rowBytes(model) * ModelBuffers.ROWS <= CALL_BYTES
                        && isProven(model, session)
                ? ModelBuffers.ROWS
                : 1;
    }

    private static boolean isProven(RankModel model, RankSession session) {
        var outputs = new HashSet<Integer>();
        for (int i = 0; i < model.outputs().size(); i++) {
            outputs.add(i);
        }
        var random = new Random(model.inputs().size());
        long deadline = System.nanoTime() + RunDeadline.WAIT_MAX.toNanos();
        try (ModelBuffers alone = ModelBuffers.of(model, 1);
                ModelBuffers together = ModelBuffers.of(model, ModelBuffers.ROWS);
                var end = new RunEnd(deadline)) {
            var unlimited = new ModelRun.Query(deadline, new LongAdder(), end);
            var one = new ModelRun(model, session, alone, outputs, unlimited);
            var many = new ModelRun(model, session, together, outputs, unlimited);
            for (int round = 0; round < ROUNDS; round++) {
                for (int rows = ModelBuffers.ROWS; rows > 1; rows /= 4) {
                    fill(together, random);
                    many.run(rows);
                    for (int row = 0; row < rows; row++) {
                        if (!isSame(one, alone, together, row)) {
                            return false;
                        }
                    }
                }
            }
            return true;
        } catch (ModelFailedException | ModelBusyException _) {
            return false;
        }
    }

    private static void fill(ModelBuffers buffers, Random random) {
        for (ModelBuffers.Slot slot : buffers.inputs()) {
            double[] cells = new double[slot.cellCount()];
            for (int row = 0; row < ModelBuffers.ROWS; row++) {
                for (int i = 0; i < cells.length; i++) {
                    cells[i] =
                            slot.value().element().isFraction()
                                    ? random.nextGaussian()
                                    : random.nextInt(2);
                }
                slot.value()
                        .element()
                        .write(cells, cells.length, slot.bytes(), row * slot.rowBytes());
            }
        }
    }

    private static boolean isSame(
            ModelRun one, ModelBuffers alone, ModelBuffers together, int row) {
        for (int i = 0; i < alone.inputs().size(); i++) {
            ModelBuffers.Slot slot = alone.inputs().get(i);
            slot.bytes().put(0, row(together.inputs().get(i), row), 0, slot.rowBytes());
        }
        one.run(1);
        for (int i = 0; i < alone.outputs().size(); i++) {
            if (row(together.outputs().get(i), row).mismatch(row(alone.outputs().get(i), 0)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer row(ModelBuffers.Slot slot, int row) {
        return slot.bytes().slice(row * slot.rowBytes(), slot.rowBytes());
    }
}
