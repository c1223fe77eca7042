package org.crabro.content.group;

/**
 * Evaluates an expression over a batch of rows. For one thread: the values are used again for the
 * next batch.
 */
abstract class Evaluator {
    /** No scope: elements of its values are those of no field. */
    static final int NO_SCOPE = -1;

    /** The bytes of a number that says nothing else. */
    static final int LONG_WIDTH = 8;

    final Values values;

    /** Of which field's elements its values are, one for one. */
    final int scope;

    /** How many bytes its whole numbers have. */
    final int width;

    Evaluator(ValueKind kind, boolean many, int scope, int width) {
        this.values = new Values(kind, many);
        this.scope = scope;
        this.width = width;
    }

    /** Makes an evaluator whose values are shaped as those of another. */
    Evaluator(ValueKind kind, Evaluator shape) {
        this(kind, shape.many(), shape.scope, LONG_WIDTH);
    }

    ValueKind kind() {
        return values.kind;
    }

    boolean many() {
        return values.many;
    }

    /** Returns the values of the rows, which hold until it is called again. */
    abstract Values evaluate(RowBatch batch);
}
