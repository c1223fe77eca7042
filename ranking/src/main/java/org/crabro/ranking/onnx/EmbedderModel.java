package org.crabro.ranking.onnx;

import java.nio.file.Path;

/**
 * The ONNX model of an embedder, and the names of its inputs and its output.
 *
 * @param file the ONNX file
 * @param tokenTypeIds the name of that input; empty if the model has none
 * @param intraOpThreads above 0 this number of threads; below 0 the number of processors divided by
 *     its absolute value, at least 1; 0 for a number that follows the load
 */
public record EmbedderModel(
        Path file,
        String inputIds,
        String attentionMask,
        String tokenTypeIds,
        String output,
        int intraOpThreads) {}
