package org.crabro.container.query;

/**
 * A query cannot be answered as it was asked; the message goes to the client as it is, and says
 * what was expected.
 */
public final class IllegalQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final String problem;

    public IllegalQueryException(ErrorCode code, String problem) {
        super(problem);
        this.code = code;
        this.problem = problem;
    }

    /** Returns the error to answer with. */
    public ResultError error() {
        return new ResultError(code, "", problem);
    }
}
