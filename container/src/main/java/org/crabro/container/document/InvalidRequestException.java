package org.crabro.container.document;

import org.crabro.text.Excerpt;

/** A request is invalid. The message is sent to the client. */
public final class InvalidRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * @param status 400, or a more specific one
     */
    public InvalidRequestException(int status, String message) {
        super(Excerpt.message(message));
        this.status = status;
    }

    public int status() {
        return status;
    }
}
