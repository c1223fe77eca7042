/**
 * Queries of clients.
 *
 * <p>Start reading at {@link org.crabro.client.query.QueryClient}, then {@link
 * org.crabro.client.query.ClientQuery}.
 *
 * <p>Values of users are request parameters and never part of a YQL text. The package does not
 * parse YQL.
 */
@NullMarked
package org.crabro.client.query;

import org.jspecify.annotations.NullMarked;
