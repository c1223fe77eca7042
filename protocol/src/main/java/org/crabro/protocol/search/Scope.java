package org.crabro.protocol.search;

import java.util.List;

/** Which documents of a type are searched. */
public sealed interface Scope {
    /** The documents whose id has {@code g=name}. */
    record Group(String name) implements Scope {}

    /** The documents whose id has {@code n=value}, an unsigned 64-bit number. */
    record Numbered(long value) implements Scope {}

    /**
     * The documents of several groups or numbers.
     *
     * @param parts no part twice; no one of them several, or everything
     */
    record Several(List<Scope> parts) implements Scope {
        public Several {
            parts = List.copyOf(parts);
        }
    }

    /** Every document of the type. */
    record Everything() implements Scope {}

    /**
     * The documents of a scope that a selection means and that were written in a time.
     *
     * @param within all that are looked at; not itself a selection
     * @param selection in the selection language; blank for all
     * @param fromTimestamp microseconds since the epoch, included
     * @param toTimestamp microseconds since the epoch, excluded
     */
    record Selected(Scope within, String selection, long fromTimestamp, long toTimestamp)
            implements Scope {}
}
