package org.crabro.samples;

import java.nio.file.Path;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.HuggingFaceEmbedder;
import org.crabro.ranking.onnx.HuggingFaceSettings;

/** The sample's model, loaded beside the server. */
final class SampleModel {
    private SampleModel() {}

    static Embedder load(Path models) {
        return HuggingFaceEmbedder.open(
                new HuggingFaceSettings(
                        models.resolve("all-minilm-l6-v2-q.onnx"),
                        models.resolve("all-minilm-l6-v2-q-tokenizer.json"),
                        512,
                        "input_ids",
                        "attention_mask",
                        "token_type_ids",
                        "last_hidden_state",
                        HuggingFaceSettings.Pooling.MEAN,
                        true,
                        "",
                        "",
                        1));
    }
}
