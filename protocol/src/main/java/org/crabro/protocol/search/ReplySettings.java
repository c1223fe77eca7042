package org.crabro.protocol.search;

/**
 * How a search replies.
 *
 * @param softTimeout whether a partial result is a valid reply when the time runs out
 * @param traceLevel 0 for no trace
 * @param explains whether the reply has a {@link NodePlan}, and hits the features that the rank
 *     profile uses
 */
public record ReplySettings(boolean softTimeout, int traceLevel, boolean explains) {
    /** Settings of a search that is not explained. */
    public ReplySettings(boolean softTimeout, int traceLevel) {
        this(softTimeout, traceLevel, false);
    }
}
