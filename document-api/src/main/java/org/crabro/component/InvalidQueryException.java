package org.crabro.component;

/**
 * Thrown if a query is invalid. The client gets the message unchanged with status 400. The message
 * describes the expected input.
 */
public final class InvalidQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidQueryException(String problem) {
        super(problem);
    }
}
