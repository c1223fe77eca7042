package org.crabro.document.select;

import java.util.function.IntConsumer;

/**
 * The inputs of an evaluation apart from the document.
 *
 * @param now whole seconds since 1970
 * @param work receives units of work of 1 to 5 ns, most of them before the work is done; may throw
 *     to end the evaluation
 */
record EvaluationContext(SelectionTypes types, long now, IntConsumer work) {
    /** Reports {@code count} units, which may exceed the range of an {@code int}. */
    void report(long count) {
        work.accept((int) Math.min(Integer.MAX_VALUE, count));
    }
}
