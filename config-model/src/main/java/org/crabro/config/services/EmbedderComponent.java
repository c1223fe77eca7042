package org.crabro.config.services;

/** A component that makes tensors of texts. */
public record EmbedderComponent(String id, EmbedderSource source) {}
