package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The tokenizer of an embedder.
 *
 * @param file the tokenizer's JSON file, or a {@code vocab.txt}
 * @param maxTokens the maximal number of tokens that the model accepts; longer texts are cut
 */
public record TokenizerFile(Path file, int maxTokens) {}
