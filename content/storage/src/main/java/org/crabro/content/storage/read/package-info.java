/**
 * Reading blocks: views of a partition, slices of blocks, and reading ahead of a scan.
 *
 * <p>Start reading at {@link org.crabro.content.storage.read.View} and {@link
 * org.crabro.content.storage.read.BlockSlice}. {@link org.crabro.content.storage.read.ReadAhead}
 * creates the {@link org.crabro.content.storage.read.SliceReads} of a pass, which load the slices
 * before a thread scans them. {@link org.crabro.content.storage.read.ReadTurns} orders passes that
 * read much.
 *
 * <p>This package does not depend on run files, and does not evaluate conditions of a query.
 */
@NullMarked
package org.crabro.content.storage.read;

import org.jspecify.annotations.NullMarked;
