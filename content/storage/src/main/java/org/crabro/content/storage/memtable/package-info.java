/**
 * The rows that are not in runs yet, in memory and by group.
 *
 * <p>Start reading at {@link org.crabro.content.storage.memtable.RecentTable}, which shows how rows
 * lie in memory, then {@link org.crabro.content.storage.memtable.RecentView}, which readers use.
 * {@link org.crabro.content.storage.memtable.RecentBudget} bounds their memory.
 *
 * <p>This package does not know journals and flushes.
 */
@NullMarked
package org.crabro.content.storage.memtable;

import org.jspecify.annotations.NullMarked;
