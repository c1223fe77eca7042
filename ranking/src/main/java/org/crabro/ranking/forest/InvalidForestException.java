package org.crabro.ranking.forest;

/** A file is no forest. The message contains the place and the reason. */
public final class InvalidForestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problem starts with its position, if there is one
     */
    public InvalidForestException(String problem) {
        super(problem);
    }
}
