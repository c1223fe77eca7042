package org.crabro.document.json;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The JSON formats of tensors. */
public enum TensorFormat {
    /** An object with the type, and the cells in the most compact form. */
    SHORT,
    /** An object with the type and every cell with its address. */
    LONG,
    /** The cells of {@link #SHORT}, without the type. */
    SHORT_VALUE,
    /** The cells of {@link #LONG}, without the type. */
    LONG_VALUE,
    /** Like {@link #SHORT}, with cells as hexadecimal digits. */
    HEX,
    /** Like {@link #SHORT_VALUE}, with cells as hexadecimal digits. */
    HEX_VALUE,
    /** A text of the type and the value in its shortest form. For results only. */
    STRING,
    /** A text of the type and every cell with its address. For results only. */
    STRING_LONG;

    /** Returns the format with a name in requests, such as {@code short-value}. */
    public static Optional<TensorFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.parameter().equals(name))
                .findFirst();
    }

    /** Returns the format of documents with a name in requests; {@link #SHORT} if there is none. */
    public static TensorFormat of(String name) {
        return named(name).filter(format -> !format.isText()).orElse(SHORT);
    }

    private boolean isText() {
        return this == STRING || this == STRING_LONG;
    }

    /** Returns the name in requests. */
    public String parameter() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
