package org.crabro.document.json;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The JSON formats of tensors. */
public enum TensorFormat {
    /** An object with the type, and the cells in the most compact form. */
    SHORT(Cells.COMPACT, true),
    /** An object with the type and every cell with its address. */
    LONG(Cells.ADDRESSED, true),
    /** The cells of {@link #SHORT}, without the type. */
    SHORT_VALUE(Cells.COMPACT, false),
    /** The cells of {@link #LONG}, without the type. */
    LONG_VALUE(Cells.ADDRESSED, false),
    /** Like {@link #SHORT}, with cells as hexadecimal digits. */
    HEX(Cells.HEX, true),
    /** Like {@link #SHORT_VALUE}, with cells as hexadecimal digits. */
    HEX_VALUE(Cells.HEX, false),
    /** A text of the type and the value in its shortest form. For results only. */
    STRING(Cells.LITERAL, false),
    /** A text of the type and every cell with its address. For results only. */
    STRING_LONG(Cells.LONG_LITERAL, false);

    /** The forms of the cells. */
    enum Cells {
        /** Lists of cells, below the labels of mapped dimensions. */
        COMPACT,
        /** Like {@link #COMPACT}, with hexadecimal digits in place of lists. */
        HEX,
        /** Each cell with its address. */
        ADDRESSED,
        /** The literal form of the tensor, in a text. */
        LITERAL,
        /** The literal form with an address for each cell, in a text. */
        LONG_LITERAL
    }

    private final Cells cells;
    private final boolean withType;

    TensorFormat(Cells cells, boolean withType) {
        this.cells = cells;
        this.withType = withType;
    }

    /** Returns the form of the cells. */
    Cells cells() {
        return cells;
    }

    /** Returns whether the cells are in an object with the type. */
    boolean withType() {
        return withType;
    }

    /** Returns the name of the member of such an object that has the cells of a dense tensor. */
    String denseMember() {
        return cells == Cells.ADDRESSED ? TensorMembers.CELLS : TensorMembers.VALUES;
    }

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
        return cells == Cells.LITERAL || cells == Cells.LONG_LITERAL;
    }

    /** Returns the name in requests. */
    public String parameter() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
