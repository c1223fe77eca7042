package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The settings of a {@code colbert-embedder}.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file
 * @param maxTokens the most tokens that the model accepts
 * @param maxQueryTokens queries are cut or padded to this many tokens
 * @param maxDocumentTokens documents are cut to this many tokens
 * @param attendsToMasks whether the model attends to the padding of queries
 * @param prependQuery text before a query; may be empty
 * @param prependDocument text before a document; may be empty
 * @param intraOpThreads as in {@link HuggingFaceSettings}
 */
public record ColbertSettings(
        Path model,
        Path tokenizer,
        int maxTokens,
        int maxQueryTokens,
        int maxDocumentTokens,
        Tokens tokens,
        boolean attendsToMasks,
        String inputIds,
        String attentionMask,
        String output,
        String prependQuery,
        String prependDocument,
        int intraOpThreads)
        implements EmbedderSettings {
    /** The numbers of the tokens around a text and of those that mark its kind. */
    public record Tokens(int start, int end, int mask, int query, int document) {}
}
