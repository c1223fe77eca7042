package org.crabro.container.llm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.crabro.component.QueryError;

/**
 * Counts and times the calls of language models, by the id of their component: {@code
 * language_model.in_flight}, {@code language_model.requests}, {@code language_model.failures} by
 * kind, {@code language_model.first_token_latency}, {@code language_model.latency}, and {@code
 * language_model.tokens} by type. Safe for use by many threads.
 */
public final class LanguageModelMeters {
    /** The maximum number of models with meters of their own. */
    static final int MODELS_MAX = 256;

    /** The name that all further models share. */
    static final String OTHERS = "others";

    /** The kind of failure of a call whose client left before the end of the text. */
    static final String DISCONNECTED = "disconnected";

    private static final String MODEL = "model";

    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final Map<String, OfModel> models = new ConcurrentHashMap<>();

    /** The meters of a model. */
    private record OfModel(
            String name,
            AtomicInteger inFlight,
            Counter requests,
            Timer untilFirst,
            Timer untilEnd) {}

    /**
     * @param nanoTime as {@link System#nanoTime()}
     */
    public LanguageModelMeters(MeterRegistry registry, LongSupplier nanoTime) {
        this.registry = registry;
        this.nanoTime = nanoTime;
    }

    /** How a call ends. */
    sealed interface End {
        /** The text is complete. */
        record Complete() implements End {}

        /** The call has failed. */
        record Failed(QueryError.Kind kind) implements End {}

        /** The client has left. */
        record Disconnected() implements End {}
    }

    /** A call that is counted and timed. For the thread that runs the model. */
    final class Measured {
        private final OfModel meters;
        private final long begin = nanoTime.getAsLong();
        private boolean hasText;

        private Measured(OfModel meters) {
            this.meters = meters;
        }

        /** Counts a part of the text. */
        void part() {
            if (!hasText) {
                hasText = true;
                meters.untilFirst.record(nanoTime.getAsLong() - begin, TimeUnit.NANOSECONDS);
            }
        }

        /** Counts the end of the call, which follows once. */
        void end(End how) {
            meters.inFlight.decrementAndGet();
            meters.untilEnd.record(nanoTime.getAsLong() - begin, TimeUnit.NANOSECONDS);
            switch (how) {
                case End.Complete() -> {}
                case End.Failed(var kind) -> failed(meters, text(kind));
                case End.Disconnected() -> failed(meters, DISCONNECTED);
            }
        }
    }

    /** Counts a call that begins now. */
    Measured begin(String model) {
        OfModel meters = meters(model);
        meters.requests.increment();
        meters.inFlight.incrementAndGet();
        return new Measured(meters);
    }

    /** Counts a call that a bound of the server refuses. */
    void refused(String model, QueryError.Kind kind) {
        OfModel meters = meters(model);
        meters.requests.increment();
        failed(meters, text(kind));
    }

    /** Counts the tokens that a service reports for a call. */
    void tokens(String model, ChatReply.Usage usage) {
        tokens(model, "prompt", usage.prompt());
        tokens(model, "completion", usage.completion());
    }

    private void tokens(String model, String type, long count) {
        Counter.builder("language_model.tokens")
                .tag(MODEL, meters(model).name)
                .tag("type", type)
                .register(registry)
                .increment((double) count);
    }

    private void failed(OfModel meters, String kind) {
        Counter.builder("language_model.failures")
                .tag(MODEL, meters.name)
                .tag("kind", kind)
                .register(registry)
                .increment();
    }

    private static String text(QueryError.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private OfModel meters(String model) {
        OfModel ofModel = models.get(model);
        if (ofModel != null) {
            return ofModel;
        }
        return models.computeIfAbsent(models.size() < MODELS_MAX ? model : OTHERS, this::make);
    }

    private OfModel make(String model) {
        var inFlight = new AtomicInteger();
        Gauge.builder("language_model.in_flight", inFlight, AtomicInteger::get)
                .tag(MODEL, model)
                .register(registry);
        return new OfModel(
                model,
                inFlight,
                Counter.builder("language_model.requests").tag(MODEL, model).register(registry),
                Timer.builder("language_model.first_token_latency")
                        .tag(MODEL, model)
                        .register(registry),
                Timer.builder("language_model.latency").tag(MODEL, model).register(registry));
    }
}
