/**
 * The order of documents in a partition: sort keys, ranges of keys, and the key columns of blocks.
 *
 * <p>Start reading at {@link org.crabro.content.storage.block.key.RowKey}. {@link
 * org.crabro.content.storage.block.key.KeyRange} is the scope of a search, {@link
 * org.crabro.content.storage.block.key.KeyArea} that of a visit. {@link
 * org.crabro.content.storage.block.key.KeyColumn} and {@link
 * org.crabro.content.storage.block.key.GroupColumn} are the keys of the rows of a block.
 *
 * <p>This package does not depend on values of fields.
 */
@NullMarked
package org.crabro.content.storage.block.key;

import org.jspecify.annotations.NullMarked;
