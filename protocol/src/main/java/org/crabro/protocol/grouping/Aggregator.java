package org.crabro.protocol.grouping;

import java.util.Locale;

/** What is made of the values of all documents of a group. */
public enum Aggregator {
    COUNT,
    /** How many documents, each once, however often a group has it. */
    COUNTDOCS,
    SUM,
    AVG,
    MIN,
    MAX,
    XOR,
    STDDEV;

    /** Returns whether nothing but documents is counted. */
    public boolean isCount() {
        return this == COUNT || this == COUNTDOCS;
    }

    /** Returns the name as it is written. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
