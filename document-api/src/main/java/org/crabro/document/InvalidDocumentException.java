package org.crabro.document;

import org.crabro.text.Excerpt;

/**
 * Thrown if an id, a field value or a body from outside does not match its grammar or its type.
 *
 * <p>The message contains the position, the found and the expected text; it is sent to the client
 * unchanged.
 */
public final class InvalidDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidDocumentException(String message) {
        super(Excerpt.message(message));
    }

    public InvalidDocumentException(String message, Throwable cause) {
        super(Excerpt.message(message), cause);
    }
}
