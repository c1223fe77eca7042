package org.crabro.samples.page;

import java.nio.file.Path;
import java.util.Optional;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbedderModel;
import org.crabro.ranking.onnx.HuggingFaceEmbedder;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.TextPrefixes;
import org.crabro.ranking.onnx.TokenizerFile;

/** The sample's model, loaded beside the server. */
final class SampleModel {
    private SampleModel() {}

    static Embedder load(Path models) {
        return HuggingFaceEmbedder.open(
                new HuggingFaceSettings(
                        new EmbedderModel(
                                models.resolve("all-minilm-l6-v2-q.onnx"),
                                "input_ids",
                                "attention_mask",
                                "token_type_ids",
                                "last_hidden_state",
                                ModelSettings.sequential(1)),
                        new TokenizerFile(models.resolve("all-minilm-l6-v2-q-tokenizer.json"), 512),
                        Optional.empty(),
                        HuggingFaceSettings.Pooling.MEAN,
                        true,
                        new TextPrefixes("", "")));
    }
}
