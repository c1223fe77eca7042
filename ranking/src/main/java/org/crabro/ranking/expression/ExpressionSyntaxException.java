package org.crabro.ranking.expression;

/**
 * A rank expression is not well formed, or uses an element that is not implemented yet.
 *
 * <p>The message contains the position, the expected and the found text, and the line itself. It is
 * shown unchanged to the user who deploys.
 */
public final class ExpressionSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ExpressionPosition origin;
    private final String problem;

    ExpressionSyntaxException(ExpressionPosition origin, String problem) {
        super(origin.describe(problem));
        this.origin = origin;
        this.problem = problem;
    }

    /** Returns the message without the position, for callers that add the position in the file. */
    public String problem() {
        return problem;
    }

    /** Returns the place of the first character that does not fit. */
    public ExpressionPosition origin() {
        return origin;
    }
}
