package org.crabro.protocol.search;

/**
 * The documents of a search on a node, and who searched them.
 *
 * @param partitions the number of partitions that were searched
 * @param threads the most threads that worked at a time
 * @param documents the number of documents in scope
 * @param matches the number of documents that match, without those that a phase dropped
 */
public record PlanScope(int partitions, int threads, long documents, long matches) {}
