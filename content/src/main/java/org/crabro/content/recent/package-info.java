/**
 * Writes, and the rows that are not in runs yet: outcomes are journaled, kept in memory by group,
 * and flushed as runs a partition at a time.
 *
 * <p>Start reading at {@link org.crabro.content.recent.Partition}, which follows a document from
 * the write to the run, then {@link org.crabro.content.recent.RecentTable} for how rows lie in
 * memory, and {@link org.crabro.content.recent.Journal} for how they become durable.
 *
 * <p>This package does not depend on schemas, queries, or which partitions a node owns.
 */
@NullMarked
package org.crabro.content.recent;

import org.jspecify.annotations.NullMarked;
