package org.crabro.config.schema;

/** The forms of a word that match each other. */
public enum Stemming {
    /** Only the word as it is written. */
    NONE,
    /** Forms with the same stem, by the rules that fit the language best. */
    BEST,
    /** Forms with the same stem, by the rules that give the shortest stems. */
    SHORTEST,
    /** Forms with the same stem by any of the available rules for the language. */
    MULTIPLE
}
