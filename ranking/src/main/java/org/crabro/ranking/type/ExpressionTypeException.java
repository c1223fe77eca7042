package org.crabro.ranking.type;

import org.crabro.ranking.expression.ExpressionPosition;

/**
 * A rank expression is well formed, but names something that does not exist, or combines parts that
 * do not fit. The message contains the place and is shown unchanged to the user who deploys.
 */
public final class ExpressionTypeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ExpressionPosition origin;
    private final String problem;

    public ExpressionTypeException(ExpressionPosition origin, String problem) {
        super(origin.describe(problem));
        this.origin = origin;
        this.problem = problem;
    }

    /** Returns the message without the place, for callers that add their own. */
    public String problem() {
        return problem;
    }

    /** Returns the place of the feature that does not fit. */
    public ExpressionPosition origin() {
        return origin;
    }
}
