package org.crabro.container.yql;

/** What the simple query language reads after a name and a colon. */
public sealed interface FieldKind {
    /** No field and no fieldset: the name is an ordinary word. */
    record Unknown() implements FieldKind {}

    /**
     * Text that is tokenized, or other values that are searched word by word.
     *
     * @param consecutive whether words without a blank between them are a phrase
     */
    record Words(boolean consecutive) implements FieldKind {}

    /** A value that is compared as a whole: it ends at the next blank, or is in quotes. */
    record Whole() implements FieldKind {}

    /**
     * A value that is compared as a whole, with all its signs, quotes and parentheses.
     *
     * @param terminator the text behind the value; if empty, the value ends at the next blank
     */
    record Exact(String terminator) implements FieldKind {}

    /** Returns whether values are compared as a whole. */
    default boolean isWhole() {
        return switch (this) {
            case Whole _, Exact _ -> true;
            case Unknown _, Words _ -> false;
        };
    }
}
