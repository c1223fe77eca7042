package org.crabro.document.json;

import java.util.Locale;

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
    HEX_VALUE;

    /**
     * Returns the format that requests call {@code name}, such as {@code short-value}; {@link
     * #SHORT} where there is none of that name.
     */
    public static TensorFormat of(String name) {
        for (TensorFormat format : values()) {
            if (format.parameter().equals(name)) {
                return format;
            }
        }
        return SHORT;
    }

    /** Returns what requests call this format. */
    public String parameter() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
