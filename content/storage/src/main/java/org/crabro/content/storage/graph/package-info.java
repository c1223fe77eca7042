/**
 * Graphs of neighbors over the vectors of runs, for approximate nearest-neighbor searches of all
 * documents of a type in mode {@code index}. They are made from the vectors, in files beside the
 * runs, and deleted and made again at any time.
 *
 * <p>Start reading at {@link org.crabro.content.storage.graph.StoredGraph}, then {@link
 * org.crabro.content.storage.graph.GraphBuilder}. Apache Lucene builds and traverses the graphs;
 * the vectors stay in the columns of blocks, and our kernels compare them. {@link
 * org.crabro.content.storage.graph.GraphSources} are the graphs of merged rows, which {@link
 * org.crabro.content.storage.graph.GraphJoin} makes a new one of.
 *
 * <p>This package does not know queries, views, or when a graph is made.
 */
@NullMarked
package org.crabro.content.storage.graph;

import org.jspecify.annotations.NullMarked;
