package org.crabro.component;

/**
 * A query cannot be answered as it was asked; the message goes to the client as it is, with status
 * 400, and says what was expected.
 */
public final class InvalidQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidQueryException(String problem) {
        super(problem);
    }
}
