package org.crabro.ranking.program;

import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * An operation on tensors, one row at a time. Immutable and shared by threads. Equal operations
 * compute the same, so a program runs them once.
 */
final class TensorOperation {
    private final Object key;
    private final TensorType type;
    private final Function<TensorOperands, TensorData> function;
    private final ToDoubleFunction<TensorOperands> number;
    private final boolean readsFloats;

    private TensorOperation(
            Object key,
            TensorType type,
            Function<TensorOperands, TensorData> function,
            ToDoubleFunction<TensorOperands> number,
            boolean readsFloats) {
        this.key = key;
        this.type = type;
        this.function = function;
        this.number = number;
        this.readsFloats = readsFloats;
    }

    /**
     * Returns an operation.
     *
     * @param key equal where operations are, for operands of the same types
     * @param type of the result
     */
    static TensorOperation of(
            Object key, TensorType type, Function<TensorOperands, TensorData> function) {
        return new TensorOperation(
                key, type, function, operands -> function.apply(operands).cells()[0], false);
    }

    /** Returns an operation whose result is a number, computed without a tensor. */
    static TensorOperation ofNumber(Object key, ToDoubleFunction<TensorOperands> number) {
        return ofNumber(key, number, false);
    }

    /** Returns such an operation that reads the cells of its operands as floats. */
    static TensorOperation ofFloats(Object key, ToDoubleFunction<TensorOperands> number) {
        return ofNumber(key, number, true);
    }

    private static TensorOperation ofNumber(
            Object key, ToDoubleFunction<TensorOperands> number, boolean readsFloats) {
        return new TensorOperation(
                key,
                TensorType.SCALAR,
                operands -> TensorData.number(number.applyAsDouble(operands)),
                number,
                readsFloats);
    }

    /** Returns the type of the result. */
    TensorType type() {
        return type;
    }

    /** Returns whether cells of operands are wanted as floats. */
    boolean readsFloats() {
        return readsFloats;
    }

    TensorData apply(TensorOperands operands) {
        return function.apply(operands);
    }

    /** Returns the result of an operation whose result is a number. */
    double number(TensorOperands operands) {
        return number.applyAsDouble(operands);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorOperation that
                && type.equals(that.type)
                && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return key + " " + type;
    }
}
