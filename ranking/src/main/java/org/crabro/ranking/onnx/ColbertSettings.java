package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * What a {@code colbert-embedder} is made of.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file
 * @param maxTokens what the model takes at most
 * @param maxQueryTokens queries are cut or filled up to this many tokens
 * @param maxDocumentTokens documents are cut to this many tokens
 * @param attendsToMasks whether the model looks at the tokens that queries are filled up with
 * @param prependQuery put in front of a query's text; may be empty
 * @param prependDocument put in front of a document's text; may be empty
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
    /** The numbers of tokens that are put around texts, and that say what a text is. */
    public record Tokens(int start, int end, int mask, int query, int document) {}
}
