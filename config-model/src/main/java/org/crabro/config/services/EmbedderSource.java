package org.crabro.config.services;

import org.crabro.ranking.onnx.EmbedderSettings;

/** What computes the embeddings of an embedder. */
public sealed interface EmbedderSource {
    /** A model, or a tokenizer, of the package. */
    record OfModel(EmbedderSettings settings) implements EmbedderSource {}

    /** A network service. */
    record OfService(ServiceEmbedderSettings settings) implements EmbedderSource {}
}
