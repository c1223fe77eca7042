/**
 * Types that all phases of a query share: the fields that it reads, and the exception that rejects
 * it.
 *
 * <p>Start reading at {@link org.crabro.content.search.query.QueryFields}.
 *
 * <p>This package does not depend on how rows are matched or scored.
 */
@NullMarked
package org.crabro.content.search.query;

import org.jspecify.annotations.NullMarked;
