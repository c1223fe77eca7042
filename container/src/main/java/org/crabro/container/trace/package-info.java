/**
 * Traces of HTTP requests, and where their spans are sent.
 *
 * <p>Start reading at {@link org.crabro.container.trace.Traces}, then {@link
 * org.crabro.container.trace.TracedRequests}.
 *
 * <p>Spans contain no document, no query and no id.
 */
@NullMarked
package org.crabro.container.trace;

import org.jspecify.annotations.NullMarked;
