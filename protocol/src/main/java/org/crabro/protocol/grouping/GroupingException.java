package org.crabro.protocol.grouping;

/** Thrown if a grouping has correct syntax but is not valid. The message is sent to the client. */
public final class GroupingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean exceeds;

    GroupingException(String message, boolean exceeds) {
        super(message);
        this.exceeds = exceeds;
    }

    /** Returns whether it was rejected only because it exceeds a limit. */
    public boolean exceeds() {
        return exceeds;
    }
}
