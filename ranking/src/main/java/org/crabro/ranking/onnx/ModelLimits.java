package org.crabro.ranking.onnx;

/** The size limits of models. */
public final class ModelLimits {
    /** The maximum size of a model's file in bytes, which is the limit of the format. */
    public static final long FILE_BYTES = Integer.MAX_VALUE;

    /** The maximal number of dimensions of an input or output. */
    public static final int DIMENSIONS = 9;

    /** The maximum number of cells of such a tensor. */
    public static final int CELLS = 1 << 24;

    private ModelLimits() {}
}
