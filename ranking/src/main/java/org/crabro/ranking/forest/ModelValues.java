package org.crabro.ranking.forest;

import java.util.function.Consumer;

/** Goes through a saved model once, value by value, in whichever form it is. */
interface ModelValues {
    /**
     * Reads an object.
     *
     * @param member is told each name, and has to read or skip its value
     */
    void object(String what, Consumer<String> member);

    /**
     * Reads an array.
     *
     * @param element has to read or skip each element
     */
    void array(String what, Runnable element);

    /** Reads an array of numbers, of which there is at most one for each node that may be. */
    double[] numbers(String what);

    String text(String what);

    /** Leaves out the value at hand. */
    void skip();

    /** Says that nothing follows. */
    void requireEnd();

    /** Returns a problem with what was read last. */
    InvalidForestException problem(String problem);
}
