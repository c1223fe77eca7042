package org.crabro.content.match;

/** What searches make of blocks that are searched again and again, for those after them. */
public record KeptOfBlocks(KeptPostings postings, KeptVectors vectors) {
    /** Returns one that keeps nothing. */
    public static KeptOfBlocks none() {
        return new KeptOfBlocks(KeptPostings.none(), KeptVectors.none());
    }
}
