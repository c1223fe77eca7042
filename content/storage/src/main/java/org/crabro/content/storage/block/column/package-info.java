/**
 * Columns of values: how the values of a field are written to a chunk of a block, and read from it.
 *
 * <p>Start reading at {@link org.crabro.content.storage.block.column.Column}, the typed view of a
 * chunk. {@link org.crabro.content.storage.block.column.ColumnReader} creates it from bytes, and
 * the implementations of {@link org.crabro.content.storage.block.column.ValuesWriter} write the
 * bytes. Texts are stored raw, as dictionary codes, or in LZ4 frames: {@link
 * org.crabro.content.storage.block.column.TextStorage}.
 *
 * <p>This package does not depend on keys, tokens, or the header of a block.
 */
@NullMarked
package org.crabro.content.storage.block.column;

import org.jspecify.annotations.NullMarked;
