package org.crabro.ranking.forest;

import java.util.function.Consumer;

/** Reads a saved model once, value by value, independent of its format. */
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

    /** Reads an array of numbers, limited to the maximum number of nodes. */
    double[] numbers(String what);

    String text(String what);

    /** Skips the current value. */
    void skip();

    /** Checks that the end of the file is reached. */
    void requireEnd();

    /** Returns an exception for a problem with the last value. */
    InvalidForestException problem(String problem);
}
