package org.crabro.container.trace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Sends spans to a collector, on a thread of its own. Requests never wait for it: a span that finds
 * the queue full is dropped and counted. A batch that the collector does not accept is dropped and
 * counted, too.
 */
final class SpanExport implements AutoCloseable {
    private static final int BATCH_SPANS = 512;
    private static final Duration SEND = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final SpanExporter exporter;
    private final BlockingQueue<ReadableSpan> queue;
    private final Counter sent;
    private final Counter dropped;
    private final Counter failed;
    private final SdkTracerProvider provider;
    private final Thread thread;
    private volatile boolean isClosed;

    private SpanExport(
            TraceSettings settings, String version, SpanExporter exporter, MeterRegistry registry) {
        this.exporter = exporter;
        this.queue = new ArrayBlockingQueue<>(settings.queueSpans());
        this.sent = registry.counter("traces.spans.sent");
        this.dropped = registry.counter("traces.spans.dropped", "reason", "queue");
        this.failed = registry.counter("traces.spans.dropped", "reason", "collector");
        this.provider =
                SdkTracerProvider.builder()
                        .setSampler(
                                Sampler.parentBased(Sampler.traceIdRatioBased(settings.share())))
                        .setResource(
                                Resource.create(
                                        Attributes.of(
                                                AttributeKey.stringKey("service.name"),
                                                "crabro",
                                                AttributeKey.stringKey("service.version"),
                                                version)))
                        .addSpanProcessor(new Queueing())
                        .build();
        this.thread = Thread.ofPlatform().daemon().name("spans").start(this::run);
    }

    static SpanExport start(TraceSettings settings, String version, MeterRegistry registry) {
        SpanExporter exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(settings.address().orElseThrow())
                        .setTimeout(SEND)
                        .setCompression("gzip")
                        .build();
        return new SpanExport(settings, version, exporter, registry);
    }

    Tracer tracer(String name) {
        return provider.get(name);
    }

    /** Puts spans that ended into the queue. */
    private final class Queueing implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
            // Nothing to do before the end.
        }

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            if (span.getSpanContext().isSampled() && (isClosed || !queue.offer(span))) {
                dropped.increment();
            }
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    private void run() {
        try {
            while (!isClosed || !queue.isEmpty()) {
                ReadableSpan first = queue.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    send(first);
                }
            }
        } catch (InterruptedException _) {
            // Closed, and out of time.
            dropped.increment(queue.size());
        }
    }

    private void send(ReadableSpan first) {
        var spans = new ArrayList<ReadableSpan>();
        spans.add(first);
        queue.drainTo(spans, BATCH_SPANS - 1);
        var batch = new ArrayList<SpanData>();
        spans.forEach(span -> batch.add(span.toSpanData()));
        boolean isSent =
                exporter.export(batch).join(SEND.toMillis(), TimeUnit.MILLISECONDS).isSuccess();
        (isSent ? sent : failed).increment(batch.size());
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            if (!thread.join(CLOSE)) {
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        provider.close();
        exporter.close();
    }
}
