package org.crabro.ranking.expression;

/**
 * A rank expression is not well formed, or uses what is not built yet.
 *
 * <p>The message says where, what was expected and what stands there instead, and shows the line:
 * it goes to the person who deploys, as it is.
 */
public final class ExpressionSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Origin origin;
    private final String problem;

    ExpressionSyntaxException(Origin origin, String problem) {
        super(origin.describe(problem));
        this.origin = origin;
        this.problem = problem;
    }

    /** Returns the message without the place, for those who know the file around the expression. */
    public String problem() {
        return problem;
    }

    /** Returns the place of the first character that does not fit. */
    public Origin origin() {
        return origin;
    }
}
