package org.crabro.document;

/**
 * The part of a document id that determines where the document is stored. Documents with the same
 * key are stored together.
 */
public sealed interface LocationKey {
    /** The id contains no group: the location depends on its user part. */
    record Plain() implements LocationKey {}

    /**
     * The {@code n=} form.
     *
     * @param value an unsigned 64-bit number
     */
    record Numbered(long value) implements LocationKey {
        /**
         * Parses a decimal number from 0 to 2^64-1.
         *
         * @throws InvalidDocumentException if the text is another one
         */
        public static Numbered parse(String text) {
            try {
                if (text.startsWith("+")) {
                    throw new NumberFormatException(text);
                }
                return new Numbered(Long.parseUnsignedLong(text));
            } catch (NumberFormatException e) {
                throw new InvalidDocumentException(
                        "'" + text + "' is not a number from 0 to 2^64-1", e);
            }
        }
    }

    /**
     * The {@code g=} form.
     *
     * @param name any text that is legal in an id, not empty
     */
    record Group(String name) implements LocationKey {}

    /** Returns the key in the syntax of ids: empty, {@code n=number} or {@code g=group}. */
    default String text() {
        return switch (this) {
            case Plain() -> "";
            case Numbered(long value) -> "n=" + Long.toUnsignedString(value);
            case Group(String name) -> "g=" + name;
        };
    }
}
