package org.crabro.content.search.group;

import org.crabro.protocol.grouping.AggregateValue;

/** The state of one aggregate for many groups, by the groups' numbers. For one thread. */
sealed interface AggregateColumn
        permits Counts, DocumentCounts, WholeColumn, RealColumn, LeastTexts, Spreads {
    /** Grows the column for groups with numbers below {@code size}. */
    void reserve(int size);

    /**
     * Adds the values of a batch.
     *
     * @param groups the group of each row
     */
    void add(Values values, int[] groups, int count, TextPool texts);

    /** Adds a group of another column of the same kind. */
    void merge(AggregateColumn from, int group, int into);

    AggregateValue value(int group);

    /** Returns whether {@link #orderKey} orders groups; if not, their values must be compared. */
    boolean hasOrderKeys();

    /** Returns a number that orders groups as their values do. */
    long orderKey(int group);

    long byteSize();
}
