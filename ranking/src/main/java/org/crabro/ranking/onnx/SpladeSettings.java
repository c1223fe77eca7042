package org.crabro.ranking.onnx;

/**
 * The settings of a {@code splade-embedder}.
 *
 * @param threshold words with a weight up to this are left out
 */
public record SpladeSettings(
        EmbedderModel model, TokenizerFile tokenizer, double threshold, TextPrefixes prefixes)
        implements EmbedderSettings {}
