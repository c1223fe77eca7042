package org.crabro.protocol.grouping;

import java.util.Locale;

/** What is made of the values of all documents of a group. */
public enum Aggregator {
    COUNT,
    SUM,
    AVG,
    MIN,
    MAX,
    XOR,
    STDDEV;

    /** Returns the name as it is written. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
