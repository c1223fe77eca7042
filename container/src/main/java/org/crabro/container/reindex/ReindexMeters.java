package org.crabro.container.reindex;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of the progress of reindexing, by type. Types that were never reindexed and types that
 * the application no longer has have no value.
 */
final class ReindexMeters {
    private static final String PREFIX = "reindexing.";

    private final MeterRegistry registry;
    private final ReindexRegister register;

    /** The types with meters. Used by the thread that activates applications. */
    private final Set<ReindexKey> measured = new HashSet<>();

    private volatile Set<ReindexKey> served = Set.of();

    ReindexMeters(MeterRegistry registry, ReindexRegister register) {
        this.registry = registry;
        this.register = register;
    }

    /**
     * Publishes metrics of {@code types} only. Called by one thread.
     *
     * @param types of the application
     */
    void serve(Set<ReindexKey> types) {
        served = types;
        for (ReindexKey key : register.types().keySet()) {
            if (types.contains(key) && measured.add(key)) {
                measure(key);
            }
        }
    }

    private void measure(ReindexKey key) {
        Tags tags = Tags.of("clusterid", key.cluster(), "documenttype", key.documentType());
        for (ReindexState state : ReindexState.values()) {
            gauge(
                    "progress",
                    tags.and("state", state.text()),
                    key,
                    run -> run.state() == state ? run.place().progress() : Double.NaN);
        }
        gauge("speed", tags, key, run -> run.request().speed());
        gauge("documents.seen", tags, key, run -> run.place().counts().seen());
        gauge("documents.written", tags, key, run -> run.place().counts().written());
        gauge("documents.refused", tags, key, run -> run.place().counts().refused());
    }

    private void gauge(String name, Tags tags, ReindexKey key, ToDoubleFunction<ReindexRun> value) {
        Supplier<Number> now =
                () ->
                        served.contains(key)
                                ? register.type(key)
                                        .run()
                                        .map(run -> (Number) value.applyAsDouble(run))
                                        .orElse(Double.NaN)
                                : Double.NaN;
        Gauge.builder(PREFIX + name, now).tags(tags).strongReference(true).register(registry);
    }
}
