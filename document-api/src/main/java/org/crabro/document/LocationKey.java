package org.crabro.document;

/** What of a document id decides where the document lies, and with which others. */
public sealed interface LocationKey {
    /** The id names no group: its user part decides. */
    record Plain() implements LocationKey {}

    /**
     * The {@code n=} form.
     *
     * @param value an unsigned 64-bit number
     */
    record Numbered(long value) implements LocationKey {}

    /**
     * The {@code g=} form.
     *
     * @param name any text that is legal in an id, not empty
     */
    record Group(String name) implements LocationKey {}
}
