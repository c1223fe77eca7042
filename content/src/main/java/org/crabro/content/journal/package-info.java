/**
 * Durability: files whose bytes can be forced to disk, and the write-ahead journal of a node in
 * them.
 *
 * <p>Start reading at {@link org.crabro.content.journal.LogFiles}, then {@link
 * org.crabro.content.journal.SegmentedLog}. {@code docs/formats/journal.md} describes the bytes.
 * Calls of the operating system that the JDK does not offer are also here: advice on mappings,
 * early writing and native memory.
 *
 * <p>The package deals with byte ranges and positions. It does not depend on documents or
 * partitions.
 */
@NullMarked
package org.crabro.content.journal;

import org.jspecify.annotations.NullMarked;
