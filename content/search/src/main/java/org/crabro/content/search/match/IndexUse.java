package org.crabro.content.search.match;

import java.util.Optional;
import org.crabro.content.storage.index.LiveRows;

/** What a search needs of an indexed section besides the rows that match. For one thread. */
public interface IndexUse {
    /** Returns whether blocks without a match are left out, so that nothing groups their rows. */
    boolean leavesOut();

    /** Returns how matches are limited; empty if they are not. */
    Optional<MatchPhaseLimit> limit();

    /** Returns whether only words are counted, which indexes can do. */
    boolean countsWords();

    /** Returns whether only the number of matches counts. */
    boolean countsOnly();

    /**
     * Counts the words of all live rows, if the search needs their statistics.
     *
     * @return whether nothing remains to be counted
     */
    boolean count(SectionWords words, LiveRows live);

    /** Returns whether the index knows all that the scores of rows depend on. */
    boolean scores(SectionWords words);
}
