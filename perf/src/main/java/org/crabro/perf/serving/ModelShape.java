package org.crabro.perf.serving;

import org.crabro.perf.harness.Scale;

/**
 * The sizes of a transformer model.
 *
 * @param hidden the size of the vector of a token
 * @param inner the size of the layer between two of these vectors
 * @param words the size of the vocabulary
 */
record ModelShape(String name, int layers, int hidden, int heads, int inner, int words) {
    /** The number of tokens of the longest text. */
    static final int TOKENS_MAX = 512;

    private static final int WORDS = 30_522;

    /** Returns the shape of BERT-base: 110 million weights. */
    static ModelShape bertBase() {
        return new ModelShape("bert-base", Scale.of(12), 768, 12, 3_072, WORDS);
    }

    /** Returns the shape of all-MiniLM-L6-v2: 22 million weights. */
    static ModelShape miniLm() {
        return new ModelShape("minilm", Scale.of(6), 384, 12, 1_536, WORDS);
    }
}
