/**
 * Durability: files whose bytes can be forced to disk, and the write-ahead journal of a node in
 * them.
 *
 * <p>Start reading at {@link org.crabro.content.storage.journal.LogFiles}, then {@link
 * org.crabro.content.storage.journal.SegmentedLog}. {@code docs/formats/journal.md} describes the
 * bytes.
 *
 * <p>The package deals with byte ranges and positions. It does not depend on documents or
 * partitions.
 */
@NullMarked
package org.crabro.content.storage.journal;

import org.jspecify.annotations.NullMarked;
