package org.crabro.container.reindex;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Tells operators how far documents went through their scripts again, type by type. What nobody
 * ever asked for, and types that the application does not have any more, have no value.
 */
final class ReindexMeters {
    private static final String PREFIX = "reindexing.";

    private final MeterRegistry registry;
    private final ReindexRegister register;

    /** Types that have their meters. Touched by who serves. */
    private final Set<ReindexKey> measured = new HashSet<>();

    private volatile Set<ReindexKey> served = Set.of();

    ReindexMeters(MeterRegistry registry, ReindexRegister register) {
        this.registry = registry;
        this.register = register;
    }

    /**
     * Tells of {@code types} from now on, and of no others. Called by one thread.
     *
     * @param types those of the application
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
        gauge("speed", tags, key, ReindexRun::speed);
        gauge("documents.seen", tags, key, run -> run.place().seen());
        gauge("documents.written", tags, key, run -> run.place().written());
        gauge("documents.refused", tags, key, run -> run.place().refused());
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
