package org.crabro.content.group;

import org.crabro.protocol.grouping.AggregateValue;

/** What is made of the documents of many groups, by their numbers. For one thread. */
sealed interface AggregateColumn
        permits Counts, DocumentCounts, WholeColumn, RealColumn, LeastTexts, Spreads {
    /** Makes room for groups below {@code size}. */
    void reserve(int size);

    /**
     * Adds the values of a batch.
     *
     * @param groups of each row
     */
    void add(Values values, int[] groups, int count, TextPool texts);

    /** Takes in a group of another column of the same kind. */
    void merge(AggregateColumn from, int group, int into);

    AggregateValue value(int group);

    /**
     * Returns whether groups can be put in order by {@link #orderKey}: else it takes the values.
     */
    boolean hasOrderKeys();

    /** Returns a number that is the larger, the larger the value is. */
    long orderKey(int group);

    long byteSize();
}
