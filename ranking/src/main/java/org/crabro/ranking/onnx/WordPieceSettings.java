package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The settings of an embedder whose result is the numbers of the pieces of words in a text.
 *
 * @param vocabulary a {@code vocab.txt}
 */
public record WordPieceSettings(Path vocabulary) implements EmbedderSettings {}
