/**
 * Reads a search request and returns the query that it describes.
 *
 * <p>{@link org.crabro.container.query.RequestBody} decodes the parameters, {@link
 * org.crabro.container.query.RequestProfile} adds the values of the query profile, and {@link
 * org.crabro.container.query.QueryBuilder} checks them and returns a {@link
 * org.crabro.container.query.SearchQuery}. {@link org.crabro.container.query.Parameter} lists the
 * names of parameters.
 *
 * <p>This package does not send requests to content nodes, and it does not know results.
 */
@NullMarked
package org.crabro.container.query;

import org.jspecify.annotations.NullMarked;
