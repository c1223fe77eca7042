package org.crabro.container.query;

/** A query is wrong. The client receives the message, which contains what was expected. */
public final class IllegalQueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final String problem;

    public IllegalQueryException(ErrorCode code, String problem) {
        super(problem);
        this.code = code;
        this.problem = problem;
    }

    /** Returns the error for the result. */
    public ResultError error() {
        return new ResultError(code, "", problem);
    }
}
