package org.crabro.config.schema;

/** Where an indexing script sends a value. */
public enum Aspect {
    /** Searchable text, or a searchable vector. */
    INDEX,
    /** Matched, sorted, grouped and ranked by value. */
    ATTRIBUTE,
    /** Part of the default summary. */
    SUMMARY
}
