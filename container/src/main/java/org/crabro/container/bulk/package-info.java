/**
 * Many documents in one request; and puts, one a request too, that go from their bytes into rows.
 *
 * <p>Start reading at {@link org.crabro.container.bulk.BulkFeed}, then {@link
 * org.crabro.container.bulk.BulkRun}; for bytes and rows at {@link
 * org.crabro.container.bulk.PlainBodies}, then {@link org.crabro.container.bulk.PlainPut}.
 *
 * <p>This package does not know which node writes what.
 */
@NullMarked
package org.crabro.container.bulk;

import org.jspecify.annotations.NullMarked;
