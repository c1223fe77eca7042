package org.crabro.ranking.onnx;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a {@code hugging-face-embedder} or a {@code bert-embedder} is made of.
 *
 * @param model the ONNX file
 * @param tokenizer the tokenizer's JSON file; where {@code special} is given, a {@code vocab.txt}
 * @param maxTokens longer texts are cut
 * @param tokenTypeIds name of that input; empty where the model has none
 * @param normalize whether vectors are scaled to length 1
 * @param prependQuery put in front of a query's text; may be empty
 * @param prependDocument put in front of a document's text; may be empty
 * @param intraOpThreads above 0 that many; below 0 the processors over that many, at least 1; 0 for
 *     as many as fit the load
 * @param special the tokens around a text, where the tokenizer's file does not tell them
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
    /** The tokens put before and behind a text. */
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
