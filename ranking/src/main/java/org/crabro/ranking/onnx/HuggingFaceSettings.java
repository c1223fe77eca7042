package org.crabro.ranking.onnx;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a {@code hugging-face-embedder} or a {@code bert-embedder}.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file; a {@code vocab.txt} if {@code special} is given
 * @param maxTokens longer texts are cut
 * @param tokenTypeIds the name of that input; empty if the model has none
 * @param normalize whether vectors are scaled to length 1
 * @param prependQuery text before a query; may be empty
 * @param prependDocument text before a document; may be empty
 * @param intraOpThreads above 0 this number of threads; below 0 the number of processors divided by
 *     its absolute value, at least 1; 0 for a number that follows the load
 * @param special the tokens around a text, if the tokenizer's file does not define them
 */
public record HuggingFaceSettings(
        Path model,
        Path tokenizer,
        int maxTokens,
        String inputIds,
        String attentionMask,
        String tokenTypeIds,
        String output,
        Pooling pooling,
        boolean normalize,
        String prependQuery,
        String prependDocument,
        int intraOpThreads,
        Optional<SpecialTokens> special)
        implements EmbedderSettings {
    /** The tokens before and after a text. */
    public record SpecialTokens(int start, int end) {}

    /** Settings with a tokenizer's JSON file. */
    public HuggingFaceSettings(
            Path model,
            Path tokenizer,
            int maxTokens,
            String inputIds,
            String attentionMask,
            String tokenTypeIds,
            String output,
            Pooling pooling,
            boolean normalize,
            String prependQuery,
            String prependDocument,
            int intraOpThreads) {
        this(
                model,
                tokenizer,
                maxTokens,
                inputIds,
                attentionMask,
                tokenTypeIds,
                output,
                pooling,
                normalize,
                prependQuery,
                prependDocument,
                intraOpThreads,
                Optional.empty());
    }

    /** How the vectors of tokens become one. */
    public enum Pooling {
        MEAN,
        CLS,
        NONE
    }
}
