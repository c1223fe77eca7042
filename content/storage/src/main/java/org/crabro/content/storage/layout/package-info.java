/**
 * The byte layouts of run files: of runs, of blocks, and of their key and token columns.
 *
 * <p>Only this package defines offsets and codes in a run file. The pages {@code
 * docs/formats/run.md} and the comments of {@link org.crabro.content.storage.layout.RunLayout},
 * {@link org.crabro.content.storage.layout.BlockLayout}, {@link
 * org.crabro.content.storage.layout.KeyLayout} and {@link
 * org.crabro.content.storage.layout.TokenLayout} describe the same bytes. A row of a run is
 * addressed by its block and its row: {@link org.crabro.content.storage.layout.AddressRange}.
 *
 * <p>This package reads no files and does not depend on documents.
 */
@NullMarked
package org.crabro.content.storage.layout;

import org.jspecify.annotations.NullMarked;
