package org.crabro.ranking.onnx;

/**
 * The settings of a {@code colbert-embedder}.
 *
 * @param attendsToMasks whether the model attends to the padding of queries
 */
public record ColbertSettings(
        EmbedderModel model,
        TokenizerFile tokenizer,
        TextLengths lengths,
        Tokens tokens,
        boolean attendsToMasks,
        TextPrefixes prefixes)
        implements EmbedderSettings {
    /** The numbers of the tokens around a text and of those that mark its kind. */
    public record Tokens(int start, int end, int mask, int query, int document) {}
}
