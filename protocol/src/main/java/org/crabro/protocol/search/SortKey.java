package org.crabro.protocol.search;

/** One key of an order; ties go to the next, and last to the document id. */
public sealed interface SortKey {
    boolean ascending();

    /** The rank score. */
    record Relevance(boolean ascending) implements SortKey {}

    /** A field's value. A missing value is smaller than all others. */
    record FieldValueOf(String field, boolean ascending) implements SortKey {}
}
