package org.crabro.ranking.onnx;

/** How large what ranking runs may be. */
public final class ModelLimits {
    /** The bytes of a model's file: the format itself holds no more. */
    public static final long FILE_BYTES = Integer.MAX_VALUE;

    /** The maximal number of dimensions of an input or output. */
    public static final int DIMENSIONS = 9;

    /** How many cells such a tensor has. */
    public static final int CELLS = 1 << 24;

    private ModelLimits() {}
}
