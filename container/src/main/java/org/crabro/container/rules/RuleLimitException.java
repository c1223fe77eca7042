package org.crabro.container.rules;

/** The rules need too much time for a query, or make it too large. */
public final class RuleLimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RuleLimitException(String problem) {
        super(problem);
    }
}
