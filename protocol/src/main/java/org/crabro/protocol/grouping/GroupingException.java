package org.crabro.protocol.grouping;

/** A grouping is well formed and asks for what makes no sense; the message is for the client. */
public final class GroupingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean exceeds;

    GroupingException(String message, boolean exceeds) {
        super(message);
        this.exceeds = exceeds;
    }

    /** Returns whether it is refused only for asking for too much. */
    public boolean exceeds() {
        return exceeds;
    }
}
