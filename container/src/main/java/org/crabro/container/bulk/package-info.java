/**
 * The bulk endpoint: many operations in one request, one on each line.
 *
 * <p>Start reading at {@link org.crabro.container.bulk.BulkFeed}, then {@link
 * org.crabro.container.bulk.BulkRun}. {@link org.crabro.container.bulk.BulkLineEncoder} encodes
 * most lines as rows, with {@link org.crabro.protocol.json}.
 *
 * <p>This package does not know which node stores a row.
 */
@NullMarked
package org.crabro.container.bulk;

import org.jspecify.annotations.NullMarked;
