package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * What a {@code hugging-face-embedder} is made of.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file
 * @param maxTokens longer texts are cut
 * @param tokenTypeIds name of that input; empty where the model has none
 * @param normalize whether vectors are scaled to length 1
 * @param prependQuery put in front of a query's text; may be empty
 * @param prependDocument put in front of a document's text; may be empty
 * @param intraOpThreads above 0 that many; below 0 the processors over that many, at least 1; 0 for
 *     as many as fit the load
 */
public record HuggingFaceSettings(
        Path model,
        Path tokenizer,
        int maxTokens,
        String inputIds,
        String attentionMask,
        String tokenTypeIds,
        String output,
        Pooling pooling,
        boolean normalize,
        String prependQuery,
        String prependDocument,
        int intraOpThreads) {
    /** How the vectors of tokens become one. */
    public enum Pooling {
        MEAN,
        CLS,
        NONE
    }
}
