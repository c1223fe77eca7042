package org.crabro.ranking.significance;

/** A file is not a significance model. The message contains the place and the reason. */
public final class InvalidSignificanceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problem starts with its position, if there is one
     */
    public InvalidSignificanceException(String problem) {
        super(problem);
    }
}
