package org.crabro.content.group;

/** Of which type the values of an expression are. */
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
