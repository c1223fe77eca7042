package org.crabro.ranking.onnx;

import java.util.Locale;
import java.util.Optional;

/** How a container runs the operations of a model. */
public enum ExecutionMode {
    /** One after another, with a number of threads that follows the load. */
    ADAPTIVE,
    /** One after another, with a fixed number of threads. */
    SEQUENTIAL,
    /** Several at once. */
    PARALLEL;

    /** Returns the mode called {@code text}, such as {@code parallel}; empty for other texts. */
    public static Optional<ExecutionMode> named(String text) {
        for (ExecutionMode mode : values()) {
            if (mode.toString().equals(text)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }

    /** Returns the name, such as {@code parallel}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
