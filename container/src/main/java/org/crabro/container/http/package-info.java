/**
 * The HTTP server: listeners, TLS, access log, metrics and endpoints for operators.
 *
 * <p>Start reading at {@link org.crabro.container.http.HttpListener}, then {@link
 * org.crabro.container.http.JsonReply}, which handlers answer with.
 *
 * <p>{@link org.crabro.container.http.BrowserGuard} refuses requests of foreign web pages. {@link
 * org.crabro.container.http.RequestThreads} chooses the thread that handles a request. {@link
 * org.crabro.container.http.MetricIntervals} computes the values of the last minute from the
 * registered meters. All endpoints for metrics use it.
 *
 * <p>The package does not depend on documents or queries: it gets their handlers.
 */
@NullMarked
package org.crabro.container.http;

import org.jspecify.annotations.NullMarked;
