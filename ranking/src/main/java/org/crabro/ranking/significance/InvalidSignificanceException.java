package org.crabro.ranking.significance;

/** A file is not a significance model. The message contains the place and the reason. */
public final class InvalidSignificanceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Takes the problem, with its place in front where there is one. */
    public InvalidSignificanceException(String problem) {
        super(problem);
    }
}
