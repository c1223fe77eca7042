package org.crabro.content.search.group;

/** The type of the values of an expression. */
enum ValueKind {
    WHOLE,
    REAL,
    TRUTH,
    TEXT,
    RAW;

    boolean isNumber() {
        return this == WHOLE || this == REAL || this == TRUTH;
    }

    /** Returns whether values are numbers of a {@link TextPool}. */
    boolean isPooled() {
        return this == TEXT || this == RAW;
    }
}
