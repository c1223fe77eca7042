/**
 * The store of a node: its partitions and shards, the path of a write, flushes and merges.
 *
 * <p>Start reading at {@link org.crabro.content.storage.store.DocumentStore} and {@link
 * org.crabro.content.storage.store.StoreWrites}, which lists the steps of a write. {@link
 * org.crabro.content.storage.store.Partition} follows a document from the write to the run, and
 * {@link org.crabro.content.storage.store.Flusher} decides when rows leave memory.
 *
 * <p>This package does not depend on schemas, queries, or which partitions a node owns.
 */
@NullMarked
package org.crabro.content.storage.store;

import org.jspecify.annotations.NullMarked;
