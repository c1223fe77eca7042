package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The settings of a {@code hugging-face-tokenizer}.
 *
 * @param tokenizer the tokenizer's JSON file
 * @param withSpecialTokens whether the result includes the tokens that mark a text's start and end
 * @param maxTokens longer texts are cut
 */
public record TokenizerSettings(Path tokenizer, boolean withSpecialTokens, int maxTokens)
        implements EmbedderSettings {}
