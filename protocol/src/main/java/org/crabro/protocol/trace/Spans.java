package org.crabro.protocol.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the request that the current thread executes.
 *
 * {@snippet :
 * try (var span = Spans.outgoing("search")) {
 *     Spans.writeHeaders(headers::put);
 *     send(headers);
 * }
 * }
 */
public final class Spans {
    /** The name of the header with the ids of trace and span. */
    public static final String PARENT = "traceparent";

    /** The name of the header with values of the programs that take part in a trace. */
    public static final String STATE = "tracestate";

    /** Longer headers are ignored, because the next server may not take them. */
    private static final int HEADER_CHARS_MAX = 512;

    private static final ContextKey<Tracer> TRACER = ContextKey.named("crabro-tracer");
    private static final Headers HEADERS = new Headers();

    private Spans() {}

    /** Reads one header by its name; null if there is none. */
    private static final class Headers
            implements TextMapGetter<Function<String, @Nullable String>> {
        @Override
        public @Nullable String get(
                @Nullable Function<String, @Nullable String> headers, String name) {
            @Nullable String value = headers == null ? null : headers.apply(name);
            return value == null || value.length() > HEADER_CHARS_MAX ? null : value;
        }
    }

    /**
     * Begins the span of a request that arrived.
     *
     * @param headers returns the value of a header, null for none. Invalid values begin a new trace
     */
    public static Arrival arrival(
            Tracer tracer, String name, Function<String, @Nullable String> headers) {
        Context parent =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
        Span span =
                tracer.spanBuilder(name).setParent(parent).setSpanKind(SpanKind.SERVER).startSpan();
        return new Arrival(span, parent.with(span).with(TRACER, tracer));
    }

    /**
     * The span of a request that arrived.
     *
     * @param context to execute the request in
     */
    public record Arrival(Span span, Context context) {}

    /**
     * Begins the span of a call to another process, which the caller closes on the same thread.
     * Without a trace of the current request it records nothing.
     */
    public static OutgoingSpan outgoing(String name) {
        @Nullable Tracer tracer = Context.current().get(TRACER);
        return tracer == null
                ? OutgoingSpan.NONE
                : OutgoingSpan.begin(
                        tracer.spanBuilder(name).setSpanKind(SpanKind.CLIENT).startSpan());
    }

    /** Writes the headers of the current trace, if there is one. */
    public static void writeHeaders(BiConsumer<String, String> headers) {
        W3CTraceContextPropagator.getInstance()
                .inject(
                        Context.current(),
                        headers,
                        (to, name, value) -> {
                            if (to != null) {
                                to.accept(name, value);
                            }
                        });
    }

    /** Returns a task that has the trace of the current thread, for another thread. */
    public static Runnable carried(Runnable task) {
        Context current = Context.current();
        return current.get(TRACER) == null ? task : current.wrap(task);
    }
}
