/**
 * Blocks: up to 1,024 rows of one document type in key order, stored column by column.
 *
 * <p>Start reading at {@link org.crabro.content.storage.block.EncodedBlock}, a view of the bytes of
 * a block in a file or in memory. {@link org.crabro.content.storage.block.BlockWriter} writes a
 * block. Bytes of a file are loaded and checked when they are first used: {@link
 * org.crabro.content.storage.block.BlockOrigin}.
 *
 * <p>Columns of values, keys and tokens have packages of their own. This package does not depend on
 * dead rows or queries.
 */
@NullMarked
package org.crabro.content.storage.block;

import org.jspecify.annotations.NullMarked;
