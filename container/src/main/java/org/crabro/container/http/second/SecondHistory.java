package org.crabro.container.http.second;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import tools.jackson.core.JsonGenerator;

/**
 * The values of some metrics in each of the last {@value #SAMPLES_MAX} seconds, in memory. The
 * oldest are dropped first. Safe for use by many threads.
 */
public final class SecondHistory {
    /** The number of samples that are kept: an hour of them. */
    public static final int SAMPLES_MAX = 3_600;

    /** What a curve shows of its meters. Meters that differ in their dimensions are added. */
    private enum Value {
        /** How often, per second. */
        RATE,
        /** The mean of the times since the sample before, in milliseconds. */
        MEAN_MILLIS,
        /** The value of gauges. */
        GAUGE
    }

    private record Curve(String plot, String name, String unit, String meter, Value value) {}

    private static final List<Curve> CURVES =
            List.of(
                    new Curve("Queries", "all", "per second", "queries", Value.RATE),
                    new Curve("Queries", "failed", "per second", "failed_queries", Value.RATE),
                    new Curve(
                            "Latency of queries", "mean", "ms", "query_latency", Value.MEAN_MILLIS),
                    new Curve("Writes", "all", "per second", "feed.operations", Value.RATE),
                    new Curve("Latency of writes", "mean", "ms", "feed.latency", Value.MEAN_MILLIS),
                    new Curve("HTTP requests", "2xx", "per second", "http.status.2xx", Value.RATE),
                    new Curve("HTTP requests", "4xx", "per second", "http.status.4xx", Value.RATE),
                    new Curve("HTTP requests", "5xx", "per second", "http.status.5xx", Value.RATE),
                    new Curve(
                            "Documents",
                            "all types",
                            "documents",
                            "content.proton.documentdb.documents.total",
                            Value.GAUGE),
                    new Curve("Heap", "used", "bytes", "mem.heap.used", Value.GAUGE));

    private final MeterRegistry registry;
    private final InstantSource clock;

    // A ring: sample number n is at n % SAMPLES_MAX. Guarded by this.
    private final long[] millis = new long[SAMPLES_MAX];
    private final double[][] values = new double[CURVES.size()][SAMPLES_MAX];
    private long samples;
    private Map<String, Totals> before = Map.of();
    private long beforeMillis;

    /** The sums over all meters of a name, since the start of the process. */
    private record Totals(double count, double millis, double gauge) {
        static final Totals NONE = new Totals(0, 0, Double.NaN);

        Totals plus(Meter meter) {
            return switch (meter) {
                case Timer timer ->
                        new Totals(
                                count + timer.count(),
                                millis + timer.totalTime(TimeUnit.MILLISECONDS),
                                gauge);
                case Counter counter -> new Totals(count + counter.count(), millis, gauge);
                case FunctionCounter counter -> new Totals(count + counter.count(), millis, gauge);
                case Gauge it -> plus(it.value());
                default -> this;
            };
        }

        private Totals plus(double now) {
            if (!Double.isFinite(now)) {
                return this;
            }
            return new Totals(count, millis, Double.isNaN(gauge) ? now : gauge + now);
        }
    }

    /** Keeps the values of meters of this registry. The first sample is a second after this. */
    public SecondHistory(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.beforeMillis = clock.millis();
    }

    /** Reads the meters, and adds a sample. Without time since the last one, it adds none. */
    public synchronized void sample() {
        long now = clock.millis();
        if (now <= beforeMillis) {
            return;
        }
        Map<String, Totals> totals = totals();
        double seconds = (now - beforeMillis) / 1000.0;
        int at = Math.toIntExact(samples % SAMPLES_MAX);
        millis[at] = now;
        for (int i = 0; i < CURVES.size(); i++) {
            Curve curve = CURVES.get(i);
            Totals last = before.getOrDefault(curve.meter(), Totals.NONE);
            Totals next = totals.getOrDefault(curve.meter(), Totals.NONE);
            values[i][at] =
                    switch (curve.value()) {
                        case RATE -> (next.count() - last.count()) / seconds;
                        case MEAN_MILLIS ->
                                next.count() > last.count()
                                        ? (next.millis() - last.millis())
                                                / (next.count() - last.count())
                                        : Double.NaN;
                        case GAUGE -> next.gauge();
                    };
        }
        samples++;
        before = totals;
        beforeMillis = now;
    }

    private Map<String, Totals> totals() {
        var names = CURVES.stream().map(Curve::meter).collect(Collectors.toSet());
        var totals = new HashMap<String, Totals>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            // The registry makes gauges of its own for the percentiles of timers.
            if (names.contains(id.getName()) && id.syntheticAssociation() == null) {
                totals.merge(id.getName(), Totals.NONE.plus(meter), (sum, _) -> sum.plus(meter));
            }
        }
        return totals;
    }

    /**
     * Writes times in seconds since 1970, and the values of each curve, null for none.
     *
     * @param after only samples after this time are written, in seconds since 1970
     */
    public void write(JsonGenerator json, double after) {
        Copy copy = copy(time -> time > after);
        json.writeStartObject();
        json.writeNumberProperty("secondsMax", SAMPLES_MAX);
        json.writeArrayPropertyStart("times");
        for (long each : copy.millis()) {
            json.writeNumber(each / 1000.0);
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("curves");
        for (int i = 0; i < CURVES.size(); i++) {
            Curve curve = CURVES.get(i);
            json.writeStartObject();
            json.writeStringProperty("plot", curve.plot());
            json.writeStringProperty("name", curve.name());
            json.writeStringProperty("unit", curve.unit());
            json.writeArrayPropertyStart("values");
            for (double value : copy.values().get(i)) {
                if (Double.isFinite(value)) {
                    json.writeNumber(value);
                } else {
                    json.writeNull();
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private record Copy(List<Long> millis, List<List<Double>> values) {}

    private synchronized Copy copy(DoublePredicate isAsked) {
        List<Integer> places =
                LongStream.range(Math.max(0, samples - SAMPLES_MAX), samples)
                        .mapToInt(n -> Math.toIntExact(n % SAMPLES_MAX))
                        .filter(at -> isAsked.test(millis[at] / 1000.0))
                        .boxed()
                        .toList();
        return new Copy(
                places.stream().map(at -> millis[at]).toList(),
                Arrays.stream(values)
                        .map(of -> places.stream().map(at -> of[at]).toList())
                        .toList());
    }
}
