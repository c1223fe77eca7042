package org.crabro.protocol.search;

/**
 * How much of the scope was searched.
 *
 * @param documents live documents that were searched
 * @param total live documents in scope
 * @param timedOut whether time ran out before all were
 */
public record Coverage(long documents, long total, boolean timedOut) {
    /** Returns the coverage of two disjoint parts taken together. */
    public Coverage plus(Coverage that) {
        return new Coverage(
                documents + that.documents, total + that.total, timedOut || that.timedOut);
    }
}
