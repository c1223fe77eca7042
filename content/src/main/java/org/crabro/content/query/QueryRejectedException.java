package org.crabro.content.query;

/**
 * A query asks for what the schema cannot answer. The message names the field or profile and what
 * was expected; it goes to the client as it is.
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
