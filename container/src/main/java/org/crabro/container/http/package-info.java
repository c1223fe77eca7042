/**
 * The HTTP server: listeners, TLS, access log, metrics and the endpoints for operators.
 *
 * <p>Start reading at {@link org.crabro.container.http.HttpListener}, then {@link
 * org.crabro.container.http.JsonReply}, with which handlers answer.
 *
 * <p>Requests of foreign web pages are refused by {@link org.crabro.container.http.BrowserGuard}.
 *
 * <p>Which thread answers is chosen by {@link org.crabro.container.http.RequestThreads}.
 *
 * <p>Meters are registered by whoever counts. {@link org.crabro.container.http.MetricIntervals}
 * turns them into what the last minute came to, which all endpoints for metrics write down.
 *
 * <p>This package does not know documents or queries: handlers for them are given to it.
 */
@NullMarked
package org.crabro.container.http;

import org.jspecify.annotations.NullMarked;
