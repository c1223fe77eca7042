/**
 * The runs of a partition over time: flushes, merges, views and backups.
 *
 * <p>Start reading at {@link org.crabro.content.storage.partition.RunLog}. It adds runs, merges
 * them step by step, and publishes the result to new views. {@link
 * org.crabro.content.storage.partition.PartitionList} is the file that lists the directories of all
 * partitions.
 *
 * <p>This package does not depend on the journal or recent rows, and starts no thread.
 */
@NullMarked
package org.crabro.content.storage.partition;

import org.jspecify.annotations.NullMarked;
