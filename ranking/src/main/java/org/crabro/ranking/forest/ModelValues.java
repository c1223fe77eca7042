package org.crabro.ranking.forest;

import java.util.function.Consumer;

/** Goes through a saved model once, value by value, in whichever form it is. */
interface ModelValues {
    /**
     * Reads an object.
     *
     * @param member gets each name, and reads or skips its value
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

    /** Checks that nothing follows. */
    void requireEnd();

    /** Returns a problem with what was read last. */
    InvalidForestException problem(String problem);
}
