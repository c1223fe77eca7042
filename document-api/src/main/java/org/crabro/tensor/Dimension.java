package org.crabro.tensor;

/** A dimension of a tensor type. */
public sealed interface Dimension {
    /** Returns the name, unique in its type. */
    String name();

    /** Labels are strings; their number is not limited. */
    record Mapped(String name) implements Dimension {}

    /**
     * Labels are 0 to {@code size - 1}, all present.
     *
     * @param size at least 1
     */
    record Indexed(String name, int size) implements Dimension {
        public Indexed {
            if (size < 1) {
                throw new IllegalArgumentException(
                        "size of dimension '" + name + "' is " + size + ", at least 1 is expected");
            }
        }
    }
}
