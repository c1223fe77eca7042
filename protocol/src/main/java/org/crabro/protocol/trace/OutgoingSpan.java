package org.crabro.protocol.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;

/**
 * The span of a call to another process. It is the current span of its thread until it is closed.
 */
public final class OutgoingSpan implements AutoCloseable {
    static final OutgoingSpan NONE = new OutgoingSpan(Span.getInvalid(), Scope.noop());

    private final Span span;
    private final Scope scope;

    private OutgoingSpan(Span span, Scope scope) {
        this.span = span;
        this.scope = scope;
    }

    @SuppressWarnings("MustBeClosedChecker") // close() closes the scope.
    static OutgoingSpan begin(Span span) {
        return new OutgoingSpan(span, span.makeCurrent());
    }

    /**
     * Records that the call failed.
     *
     * @param reason a word for the kind of failure, without values of the request
     */
    public void failed(String reason) {
        span.setStatus(StatusCode.ERROR, reason);
    }

    @Override
    public void close() {
        scope.close();
        span.end();
    }
}
