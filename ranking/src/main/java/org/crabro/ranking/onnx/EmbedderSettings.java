package org.crabro.ranking.onnx;

/** The settings of an embedder; each kind has its own. */
public sealed interface EmbedderSettings
        permits HuggingFaceSettings,
                ColbertSettings,
                SpladeSettings,
                TokenizerSettings,
                WordPieceSettings,
                SentencePieceSettings {

    /**
     * Loads the model and the tokenizer.
     *
     * @throws InvalidModelException if a file is missing or unfit, or the model has not the inputs
     *     and the output that the settings name
     */
    default Embedder open() {
        return switch (this) {
            case HuggingFaceSettings settings -> HuggingFaceEmbedder.open(settings);
            case ColbertSettings settings -> ColbertEmbedder.open(settings);
            case SpladeSettings settings -> SpladeEmbedder.open(settings);
            case TokenizerSettings settings -> TokenIdEmbedder.open(settings);
            case WordPieceSettings settings -> TokenIdEmbedder.open(settings);
            case SentencePieceSettings settings -> TokenIdEmbedder.open(settings);
        };
    }
}
