package org.crabro.document.json;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How tensors are written. */
public enum TensorFormat {
    /** An object with the type, and the cells in the most compact member there is. */
    SHORT,
    /** An object with the type and every cell with its address. */
    LONG,
    /** What {@link #SHORT} has beside the type, alone. */
    SHORT_VALUE,
    /** What {@link #LONG} has beside the type, alone. */
    LONG_VALUE,
    /** As {@link #SHORT}, cells as hexadecimal digits. */
    HEX,
    /** As {@link #SHORT_VALUE}, cells as hexadecimal digits. */
    HEX_VALUE,
    /** A text of the type and the value in its shortest form. Of results, not of documents. */
    STRING,
    /** A text of the type and every cell with its address. Of results, not of documents. */
    STRING_LONG;

    /** Returns the format that requests call {@code name}, such as {@code short-value}. */
    public static Optional<TensorFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.parameter().equals(name))
                .findFirst();
    }

    /**
     * Returns the format of documents that requests call {@code name}; {@link #SHORT} where there
     * is none of that name.
     */
    public static TensorFormat of(String name) {
        return named(name).filter(format -> !format.isText()).orElse(SHORT);
    }

    private boolean isText() {
        return this == STRING || this == STRING_LONG;
    }

    /** Returns what requests call this format. */
    public String parameter() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
