/**
 * What a search answers: the best documents in order, with their summaries and features, and what
 * it cost.
 *
 * <p>Start reading at {@link org.crabro.content.result.Search}. The blocks of a query are scanned
 * in slices by a few platform threads; each keeps the best rows it has seen as numbers, and only
 * the rows that are returned become objects.
 *
 * <p>This package does not know who asks, which partitions a node owns, or how an answer is
 * rendered.
 */
@NullMarked
package org.crabro.content.result;

import org.jspecify.annotations.NullMarked;
