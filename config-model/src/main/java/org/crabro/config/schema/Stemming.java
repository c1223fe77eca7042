package org.crabro.config.schema;

/** Which forms of a word count as the same word. */
public enum Stemming {
    /** Only the word as it is written. */
    NONE,
    /** Those with the same stem, by the rules that fit the language best. */
    BEST,
    /** Those with the same stem, by the rules that leave least of it. */
    SHORTEST,
    /** Those with the same stem by any of the rules that there are for the language. */
    MULTIPLE
}
