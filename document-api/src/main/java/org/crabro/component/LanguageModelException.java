package org.crabro.component;

/** Thrown if a language model cannot generate a text. The client gets the error unchanged. */
public final class LanguageModelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient QueryError error;

    /**
     * @param kind determines the status of the answer
     * @param problem for the client; without keys
     */
    public LanguageModelException(QueryError.Kind kind, String problem) {
        super(problem);
        this.error = new QueryError(kind, problem);
    }

    /** Returns the error for the client. */
    public QueryError error() {
        return error;
    }
}
