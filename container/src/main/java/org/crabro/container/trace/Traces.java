package org.crabro.container.trace;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import java.util.Optional;

/**
 * The traces of a process. Without an endpoint, requests pass on the trace of their sender and
 * record nothing.
 */
public final class Traces implements AutoCloseable {
    private static final String NAME = "org.crabro";

    /** Passes on traces and records nothing. */
    public static final Traces NONE = new Traces(TracerProvider.noop().get(NAME), Optional.empty());

    private final Tracer tracer;
    private final Optional<SpanExport> export;

    private Traces(Tracer tracer, Optional<SpanExport> export) {
        this.tracer = tracer;
        this.export = export;
    }

    /**
     * Starts to send spans, if the settings have an endpoint. The classes that send them are loaded
     * only then.
     *
     * @param version of the server, an attribute of spans
     * @param registry gets the counts of spans
     */
    public static Traces start(TraceSettings settings, String version, MeterRegistry registry) {
        if (settings.address().isEmpty()) {
            return NONE;
        }
        SpanExport export = SpanExport.start(settings, version, registry);
        return new Traces(export.tracer(NAME), Optional.of(export));
    }

    /** Returns what makes spans. */
    public Tracer tracer() {
        return tracer;
    }

    /** Returns whether spans are sent. */
    boolean isRecording() {
        return export.isPresent();
    }

    /** Sends the spans that wait, for some seconds at most. */
    @Override
    public void close() {
        export.ifPresent(SpanExport::close);
    }
}
