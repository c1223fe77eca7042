package org.crabro.ranking.onnx;

/**
 * The settings of a {@code colbert-embedder}.
 *
 * @param keepsMasks whether the vectors of the masks that fill up a query are kept
 */
public record ColbertSettings(
        EmbedderModel model,
        TokenizerFile tokenizer,
        TextLengths lengths,
        Tokens tokens,
        boolean keepsMasks,
        TextPrefixes prefixes)
        implements EmbedderSettings {
    /** The numbers of the tokens around a text and of those that mark its kind. */
    public record Tokens(int start, int end, int mask, int query, int document) {}
}
