package org.crabro.content.search.group;

/**
 * Evaluates an expression over batches of rows. For one thread: the values are overwritten by the
 * next batch.
 */
abstract class Evaluator {
    /** The scope of values that are not elements of a field. */
    static final int NO_SCOPE = -1;

    /** The width in bytes of numbers without a type of their own. */
    static final int LONG_WIDTH = 8;

    final Values values;

    /** The field whose elements correspond one to one to the values. */
    final int scope;

    /** The width of whole numbers in bytes. */
    final int width;

    Evaluator(ValueKind kind, boolean many, int scope, int width) {
        this.values = new Values(kind, many);
        this.scope = scope;
        this.width = width;
    }

    /** Creates an evaluator with values of the same shape as those of another. */
    Evaluator(ValueKind kind, Evaluator shape) {
        this(kind, shape.many(), shape.scope, LONG_WIDTH);
    }

    ValueKind kind() {
        return values.kind;
    }

    boolean many() {
        return values.many;
    }

    /** Returns the values of the rows. They are valid until the next call. */
    abstract Values evaluate(RowBatch batch);
}
