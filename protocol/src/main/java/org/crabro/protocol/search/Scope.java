package org.crabro.protocol.search;

import java.util.List;

/** The searched documents of a type. */
public sealed interface Scope {
    /** The documents whose id has {@code g=name}. */
    record Group(String name) implements Scope {}

    /** The documents whose id has {@code n=value}, an unsigned 64-bit number. */
    record Numbered(long value) implements Scope {}

    /**
     * The documents of several groups or numbers.
     *
     * @param parts without duplicates; none is several or everything
     */
    record Several(List<Scope> parts) implements Scope {
        public Several {
            parts = List.copyOf(parts);
        }
    }

    /** Every document of the type. */
    record Everything() implements Scope {}

    /**
     * The documents of a scope that fulfil a selection and were written in a range of time.
     *
     * @param within the scope to select from; not itself a selection
     * @param selection in the selection language; blank selects all
     * @param fromTimestamp microseconds since the epoch, included
     * @param toTimestamp microseconds since the epoch, excluded
     */
    record Selected(Scope within, String selection, long fromTimestamp, long toTimestamp)
            implements Scope {}
}
