/**
 * Many documents in one request.
 *
 * <p>Start reading at {@link org.crabro.container.bulk.BulkFeed}, then {@link
 * org.crabro.container.bulk.BulkRun}.
 *
 * <p>This package does not know which node writes what.
 */
@NullMarked
package org.crabro.container.bulk;

import org.jspecify.annotations.NullMarked;
