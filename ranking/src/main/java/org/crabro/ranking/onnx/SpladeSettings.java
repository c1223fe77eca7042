package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * What a {@code splade-embedder} is made of.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file
 * @param maxTokens longer texts are cut
 * @param threshold what does not weigh more is left out
 * @param tokenTypeIds name of that input; empty where the model has none
 * @param prependQuery put in front of a query's text; may be empty
 * @param prependDocument put in front of a document's text; may be empty
 * @param intraOpThreads as in {@link HuggingFaceSettings}
 */
public record SpladeSettings(
        Path model,
        Path tokenizer,
        int maxTokens,
        double threshold,
        String inputIds,
        String attentionMask,
        String tokenTypeIds,
        String output,
        String prependQuery,
        String prependDocument,
        int intraOpThreads)
        implements EmbedderSettings {}
