/**
 * Merging runs: which neighbouring runs are merged, how fast, and the merge of a range of keys.
 *
 * <p>Start reading at {@link org.crabro.content.storage.merge.MergePolicy}, which chooses, then
 * {@link org.crabro.content.storage.merge.RunMerge}, which writes.
 *
 * <p>This package changes no manifest and starts no thread.
 */
@NullMarked
package org.crabro.content.storage.merge;

import org.jspecify.annotations.NullMarked;
