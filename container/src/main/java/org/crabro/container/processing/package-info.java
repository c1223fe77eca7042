/**
 * What happens to a document between its client and the store: indexing scripts.
 *
 * <p>Start reading at {@link org.crabro.container.processing.IndexingProcessor}.
 *
 * <p>This package does not know HTTP, nor where a document goes from here.
 */
@NullMarked
package org.crabro.container.processing;

import org.jspecify.annotations.NullMarked;
