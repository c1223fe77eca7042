package org.crabro.config.services;

import org.crabro.ranking.onnx.HuggingFaceSettings;

/** A component of type {@code hugging-face-embedder} or {@code bert-embedder}. */
public record EmbedderComponent(String id, HuggingFaceSettings settings) {}
