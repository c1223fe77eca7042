/**
 * Queries that a server sends itself, so that the JVM has compiled the path of a query before the
 * first client sends one.
 *
 * <p>Start reading at {@link org.crabro.server.warmup.QueryWarmUp}.
 *
 * <p>The queries search generated documents in a content node of their own. The package does not
 * know the documents, metrics, logs and access rules of the server.
 */
@NullMarked
package org.crabro.server.warmup;

import org.jspecify.annotations.NullMarked;
