/**
 * Queries: from the parameters of a request, through a chain of searchers, to a result.
 *
 * <p>Start reading at {@link org.crabro.container.search.SearchHandler}, then {@link
 * org.crabro.container.search.QueryBuilder}, {@link org.crabro.container.search.SearchStep} and
 * {@link org.crabro.container.search.ClusterSearcher}, the last of the chain.
 *
 * <p>This package does not know which nodes there are, nor how a result is written.
 */
@NullMarked
package org.crabro.container.search;

import org.jspecify.annotations.NullMarked;
