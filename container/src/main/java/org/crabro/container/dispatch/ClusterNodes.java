package org.crabro.container.dispatch;

/**
 * Nodes that store documents of a content cluster. Two are equal if they are the same nodes.
 *
 * @param documents carries writes and reads of documents to them
 * @param search carries searches to them
 */
public record ClusterNodes(DocumentNodes documents, SearchNodes search) {}
