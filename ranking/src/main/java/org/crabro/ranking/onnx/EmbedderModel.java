package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The ONNX model of an embedder, and the names of its inputs and its output.
 *
 * @param file the ONNX file
 * @param tokenTypeIds the name of that input; empty if the model has none
 * @param settings how it runs
 */
public record EmbedderModel(
        Path file,
        String inputIds,
        String attentionMask,
        String tokenTypeIds,
        String output,
        ModelSettings settings) {}
