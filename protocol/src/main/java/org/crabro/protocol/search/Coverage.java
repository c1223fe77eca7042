package org.crabro.protocol.search;

/**
 * The share of the scope that was searched.
 *
 * @param documents the number of live documents that were searched
 * @param total the number of live documents in scope
 * @param timedOut whether time ran out before all were searched
 * @param limited whether a rank profile has limited the matches to those with the best values
 */
public record Coverage(long documents, long total, boolean timedOut, boolean limited) {
    /** The coverage of a search without limits. */
    public Coverage(long documents, long total, boolean timedOut) {
        this(documents, total, timedOut, false);
    }

    /** Returns the sum of the coverage of two disjoint parts. */
    public Coverage plus(Coverage that) {
        return new Coverage(
                documents + that.documents,
                total + that.total,
                timedOut || that.timedOut,
                limited || that.limited);
    }
}
