package org.crabro.container.model;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.ranking.onnx.RunListener;
import org.crabro.ranking.onnx.RunListeners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and times the runs of models: {@code model.in_flight}, {@code model.runs} by the number of
 * threads, {@code model.rejected_runs}, {@code model.queue_latency} and {@code model.run_latency}.
 * Safe for use by many threads.
 */
public final class ModelMeters implements RunListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelMeters.class);

    /** The maximum number of models with meters of their own. */
    static final int MODELS_MAX = 256;

    /** The name that all further models share. */
    static final String OTHERS = "others";

    private static final String MODEL = "model";

    private final MeterRegistry registry;
    private final Map<String, OfModel> models = new ConcurrentHashMap<>();

    /** The meters of a model. */
    private record OfModel(
            AtomicInteger inFlight,
            Counter rejected,
            Timer queued,
            Timer taken,
            Map<Integer, Counter> runs) {}

    private ModelMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns meters of all models of the process, which count until they are closed. */
    public static ModelMeters open(MeterRegistry registry) {
        var meters = new ModelMeters(registry);
        RunListeners.add(meters);
        return meters;
    }

    @Override
    public void arrived(String model) {
        meters(model).inFlight.incrementAndGet();
    }

    @Override
    public void ended(String model, int threads, long waitedNanos, long runNanos) {
        OfModel meters = meters(model);
        meters.inFlight.decrementAndGet();
        meters.queued.record(waitedNanos, TimeUnit.NANOSECONDS);
        meters.taken.record(runNanos, TimeUnit.NANOSECONDS);
        meters.runs.computeIfAbsent(threads, count -> runs(model, count)).increment();
    }

    @Override
    public void rejected(String model) {
        OfModel meters = meters(model);
        meters.inFlight.decrementAndGet();
        meters.rejected.increment();
    }

    @Override
    public void notLoaded(String model, int threads, Exception reason) {
        LOG.warn("model {} does not get a session of {} threads", model, threads, reason);
    }

    @Override
    public void notPrepared(String model, Exception reason) {
        LOG.warn("model {} gets no copy for this processor, and needs more memory", model, reason);
    }

    private OfModel meters(String model) {
        OfModel ofModel = models.get(model);
        if (ofModel != null) {
            return ofModel;
        }
        return models.computeIfAbsent(shown(model), this::make);
    }

    private String shown(String model) {
        return models.size() < MODELS_MAX ? model : OTHERS;
    }

    private OfModel make(String model) {
        var inFlight = new AtomicInteger();
        Gauge.builder("model.in_flight", inFlight, AtomicInteger::get)
                .tag(MODEL, model)
                .register(registry);
        return new OfModel(
                inFlight,
                Counter.builder("model.rejected_runs").tag(MODEL, model).register(registry),
                Timer.builder("model.queue_latency").tag(MODEL, model).register(registry),
                Timer.builder("model.run_latency").tag(MODEL, model).register(registry),
                new ConcurrentHashMap<>());
    }

    private Counter runs(String model, int threads) {
        return Counter.builder("model.runs")
                .tag(MODEL, models.containsKey(model) ? model : OTHERS)
                .tag("threads", Integer.toString(threads))
                .register(registry);
    }

    /** Counts no further runs. */
    @Override
    public void close() {
        RunListeners.remove(this);
    }
}
