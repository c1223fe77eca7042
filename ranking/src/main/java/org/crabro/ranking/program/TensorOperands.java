package org.crabro.ranking.program;

import java.util.function.IntConsumer;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;

/** The operands of an operation for the current row, computed on demand. */
interface TensorOperands {
    /** Returns an operand; a number as a tensor without dimensions. */
    TensorData tensor(int operand);

    /**
     * Returns the cells of an operand without its labels, valid until the next call for the
     * operand.
     */
    CellBuffer cells(int operand);

    /** Returns an operand that is a number. */
    double number(int operand);

    /** Returns the receiver of the units of {@link org.crabro.ranking.tensor.TensorWork}. */
    IntConsumer work();
}
