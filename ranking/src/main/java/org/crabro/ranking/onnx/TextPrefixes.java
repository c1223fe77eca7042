package org.crabro.ranking.onnx;

/**
 * Texts that an embedder puts before each text; may be empty.
 *
 * @param query before a query
 * @param document before a document
 */
public record TextPrefixes(String query, String document) {}
