package org.crabro.config.services;

import org.crabro.ranking.onnx.EmbedderSettings;

/** A component that makes tensors of texts. */
public record EmbedderComponent(String id, EmbedderSettings settings) {}
