package org.crabro.content.search.query;

/**
 * Thrown if the schema does not permit a query. The message names the field or profile and the
 * expected value; it is sent to the client unchanged.
 */
public final class QueryRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    public QueryRejectedException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** Returns the message. */
    public String reason() {
        return reason;
    }
}
