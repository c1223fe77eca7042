/**
 * Files that a crash leaves whole.
 *
 * <p>Start reading at {@link org.crabro.container.file.DurableFiles}. The package does not know
 * what the files contain.
 */
@NullMarked
package org.crabro.container.file;

import org.jspecify.annotations.NullMarked;
