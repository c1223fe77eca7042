package org.crabro.component;

/**
 * A query is invalid. The client gets the message unchanged with status 400. The message says what
 * was expected.
 */
public final class InvalidQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidQueryException(String problem) {
        super(problem);
    }
}
