package org.crabro.ranking.type;

import org.crabro.ranking.expression.Origin;

/**
 * A rank expression is well formed, but names what there is not, or puts together what does not
 * fit. The message says where and goes to the person who deploys, as it is.
 */
public final class ExpressionTypeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Origin origin;
    private final String problem;

    public ExpressionTypeException(Origin origin, String problem) {
        super(origin.describe(problem));
        this.origin = origin;
        this.problem = problem;
    }

    /** Returns the message without the place, for those who know the file around the expression. */
    public String problem() {
        return problem;
    }

    /** Returns the place of the feature that does not fit. */
    public Origin origin() {
        return origin;
    }
}
