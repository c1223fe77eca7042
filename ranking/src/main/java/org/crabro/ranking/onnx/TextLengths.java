package org.crabro.ranking.onnx;

/**
 * The lengths of texts in tokens.
 *
 * @param query queries are cut or padded to this length
 * @param document documents are cut to this length
 */
public record TextLengths(int query, int document) {}
