/**
 * Traces of requests through several processes: the headers of W3C Trace Context, and spans of
 * calls.
 *
 * <p>Start reading at {@link org.crabro.protocol.trace.Spans}.
 *
 * <p>The trace of a request belongs to the thread that executes it. This package knows neither HTTP
 * nor where spans are sent.
 */
@NullMarked
package org.crabro.protocol.trace;

import org.jspecify.annotations.NullMarked;
