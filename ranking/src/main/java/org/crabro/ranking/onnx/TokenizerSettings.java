package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * What a {@code hugging-face-tokenizer} is made of.
 *
 * @param tokenizer the tokenizer's JSON file
 * @param withSpecialTokens whether the tokens that mark a text's start and end are among them
 * @param maxTokens longer texts are cut
 */
public record TokenizerSettings(Path tokenizer, boolean withSpecialTokens, int maxTokens)
        implements EmbedderSettings {}
