package org.crabro.ranking.onnx;

import java.util.Optional;

/**
 * The settings of a {@code hugging-face-embedder} or a {@code bert-embedder}.
 *
 * @param tokenizer a {@code vocab.txt} if {@code special} is given
 * @param special the tokens around a text, if the tokenizer's file does not define them
 * @param normalize whether vectors are scaled to length 1
 */
public record HuggingFaceSettings(
        EmbedderModel model,
        TokenizerFile tokenizer,
        Optional<SpecialTokens> special,
        Pooling pooling,
        boolean normalize,
        TextPrefixes prefixes)
        implements EmbedderSettings {
    /** The tokens before and after a text. */
    public record SpecialTokens(int start, int end) {}

    /** How the vectors of tokens become one. */
    public enum Pooling {
        MEAN,
        CLS,
        NONE
    }
}
