package org.crabro.document;

/** The part of a document id that decides where the document is stored, and with which others. */
public sealed interface LocationKey {
    /** The id names no group: its user part decides. */
    record Plain() implements LocationKey {}

    /**
     * The {@code n=} form.
     *
     * @param value an unsigned 64-bit number
     */
    record Numbered(long value) implements LocationKey {
        /**
         * Returns the key of the decimal number {@code text}, 0 to 2^64-1.
         *
         * @throws InvalidDocumentException if it is none
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

    /** Returns the key as ids write it: nothing, {@code n=number} or {@code g=group}. */
    default String text() {
        return switch (this) {
            case Plain() -> "";
            case Numbered(long value) -> "n=" + Long.toUnsignedString(value);
            case Group(String name) -> "g=" + name;
        };
    }
}
