/**
 * Runs queries: a chain of search steps asks the content nodes and returns a result.
 *
 * <p>Start reading at {@link org.crabro.container.search.SearchHandler}, then {@link
 * org.crabro.container.search.SearchStep} and {@link org.crabro.container.search.ClusterSearcher},
 * the last step of the chain. {@link org.crabro.container.search.OwnSearch} runs the chains of an
 * application, and {@link org.crabro.container.search.FederatedSearch} several sources at once. The
 * parameters of a request are read by {@code org.crabro.container.query}.
 *
 * <p>This package does not know which nodes exist, nor how a result is written.
 */
@NullMarked
package org.crabro.container.search;

import org.jspecify.annotations.NullMarked;
