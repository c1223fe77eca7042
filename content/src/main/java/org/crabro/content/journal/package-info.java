/**
 * Durability: files that can be forced, and the node's write-ahead journal in them.
 *
 * <p>Start reading at {@link org.crabro.content.journal.LogFiles}, then {@link
 * org.crabro.content.journal.SegmentedLog}. The bytes are written down in {@code
 * docs/formats/journal.md}. What the system is asked for and the JDK keeps to itself is here too:
 * advice on mappings, early writing, memory of its own.
 *
 * <p>This package knows byte ranges and positions; it does not know documents, partitions or who
 * waits for a force.
 */
@NullMarked
package org.crabro.content.journal;

import org.jspecify.annotations.NullMarked;
