package org.crabro.document;

/**
 * Thrown if an id, a field value or a body from outside does not match its grammar or its type.
 *
 * <p>The message contains the position, the found and the expected text; it is sent to the client
 * unchanged.
 */
public final class InvalidDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidDocumentException(String message) {
        super(message);
    }

    public InvalidDocumentException(String message, Throwable cause) {
        super(message, cause);
    }
}
