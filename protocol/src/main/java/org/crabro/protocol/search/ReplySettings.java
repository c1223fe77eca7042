package org.crabro.protocol.search;

/**
 * How a search replies.
 *
 * @param softTimeout whether a partial result is a valid reply when the time runs out
 * @param traceLevel 0 for no trace
 * @param explains whether the reply has a {@link NodePlan}, and hits the features that the rank
 *     profile uses
 * @param countsWords whether the reply has only counts of the words of the query and of words near
 *     them. The tree of such a request is a {@code rank} of all documents with the words
 */
public record ReplySettings(
        boolean softTimeout, int traceLevel, boolean explains, boolean countsWords) {
    /** Settings of a search for documents. */
    public ReplySettings(boolean softTimeout, int traceLevel, boolean explains) {
        this(softTimeout, traceLevel, explains, false);
    }

    /** Settings of a search that is not explained. */
    public ReplySettings(boolean softTimeout, int traceLevel) {
        this(softTimeout, traceLevel, false);
    }
}
