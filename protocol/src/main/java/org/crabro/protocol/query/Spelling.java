package org.crabro.protocol.query;

/**
 * How a word of a user may be spelled, and how exactly an added word matches.
 *
 * @param typos whether words that differ in one or two characters are added, if documents have
 *     little of the word
 * @param beginning whether longer words are added
 * @param exactness the factor of the significance of the word, from 0 to 1: 1 as a user wrote it
 */
public record Spelling(boolean typos, boolean beginning, double exactness) {
    /** The word matches as it is written. */
    public static final Spelling EXACT = new Spelling(false, false, 1);

    /** Returns the spelling of a word that a user wrote. */
    public static Spelling of(boolean typos, boolean beginning) {
        return typos || beginning ? new Spelling(typos, beginning, 1) : EXACT;
    }

    /** Returns whether other words are added. */
    public boolean adds() {
        return typos || beginning;
    }
}
