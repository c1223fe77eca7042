package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The settings of a {@code splade-embedder}.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file
 * @param maxTokens longer texts are cut
 * @param threshold words whose weight is not above it are left out
 * @param tokenTypeIds the name of that input; empty if the model has none
 * @param prependQuery text before a query; may be empty
 * @param prependDocument text before a document; may be empty
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
