package org.crabro.ranking.onnx;

/** The bounds of runs of a model that compute several texts together. */
public final class BatchLimits {
    /** The texts that wait for a model at most. Further calls are refused as overload. */
    public static final int WAITING_TEXTS = 4_096;

    /** The texts of a call that wait at the same time. Further texts of the call wait for them. */
    public static final int CALL_TEXTS = 256;

    /** The texts of a run at most. */
    public static final int RUN_TEXTS = 64;

    /**
     * The tokens of a run at most, padding included, unless it has a single text. A run of many
     * texts then takes no longer than a run of one long text, and a query does not wait longer.
     */
    public static final int RUN_TOKENS = 1_024;

    /** The bytes of the output of a run at most, unless it has a single text. */
    public static final long OUTPUT_BYTES = 64 << 20;

    /** Padding is at most this part of the tokens of a run. */
    static final double PADDING_SHARE = 0.125;

    private BatchLimits() {}
}
