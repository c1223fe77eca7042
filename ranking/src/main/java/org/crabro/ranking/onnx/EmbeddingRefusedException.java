package org.crabro.ranking.onnx;

/** An embedding was not computed, although its text and its type are valid. */
public final class EmbeddingRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why it was not computed. */
    public enum Reason {
        /** Too many texts wait; a later request may succeed. */
        OVERLOADED,
        /** It was not available in time. */
        TIMED_OUT,
        /** The service that computes it failed. */
        UPSTREAM_FAILED
    }

    private final Reason reason;

    public EmbeddingRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns why the embedding was not computed. */
    public Reason reason() {
        return reason;
    }
}
