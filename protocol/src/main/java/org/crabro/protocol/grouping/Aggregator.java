package org.crabro.protocol.grouping;

import java.util.Locale;

/** The aggregates of the values of a group's documents. */
public enum Aggregator {
    COUNT,
    /** The number of documents. Each counts once, even if the group contains it several times. */
    COUNTDOCS,
    SUM,
    AVG,
    MIN,
    MAX,
    XOR,
    STDDEV;

    /** Returns whether this counts documents and needs no values. */
    public boolean isCount() {
        return this == COUNT || this == COUNTDOCS;
    }

    /** Returns the name in requests. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
