/**
 * Indexing scripts, which process a document between its client and the store.
 *
 * <p>Start reading at {@link org.crabro.container.processing.IndexingProcessor}.
 *
 * <p>The package does not depend on HTTP or on dispatch.
 */
@NullMarked
package org.crabro.container.processing;

import org.jspecify.annotations.NullMarked;
