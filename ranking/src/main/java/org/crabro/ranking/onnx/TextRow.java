package org.crabro.ranking.onnx;

import ai.djl.huggingface.tokenizers.Encoding;

/** The tokens of a text, as the inputs of a model: three arrays of the same length. */
final class TextRow {
    private final long[] ids;
    private final long[] mask;
    private final long[] typeIds;

    /**
     * @param typeIds not read where the model takes none
     */
    TextRow(long[] ids, long[] mask, long[] typeIds) {
        this.ids = ids;
        this.mask = mask;
        this.typeIds = typeIds;
    }

    static TextRow of(Encoding tokens) {
        return new TextRow(tokens.getIds(), tokens.getAttentionMask(), tokens.getTypeIds());
    }

    long[] ids() {
        return ids;
    }

    long[] mask() {
        return mask;
    }

    long[] typeIds() {
        return typeIds;
    }

    /** Returns the number of tokens. */
    int length() {
        return ids.length;
    }
}
