package org.crabro.document;

/**
 * An id, a field value or a body from outside is not what its grammar or its type asks for.
 *
 * <p>The message names the place, what was found and what was expected; it goes to the client as it
 * is.
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
