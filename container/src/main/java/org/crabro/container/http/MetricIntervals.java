package org.crabro.container.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.crabro.container.http.second.SecondHistory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values of meters in the last complete interval. Meters count from the start of the process;
 * this stores their values at the begin of each interval, and reads gauges several times in it.
 *
 * {@snippet :
 * try (var metrics = new MetricIntervals(InstantSource.system())) {
 *     metrics.registry().counter("queries").increment();
 *     metrics.start();
 * }
 * }
 *
 * <p>Before the first interval is complete, counters and timers are 0. {@code last} of a gauge is
 * always what it is now.
 */
public final class MetricIntervals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricIntervals.class);

    /** The length of an interval. */
    static final Duration INTERVAL = Duration.ofSeconds(60);

    /** The interval between reads of gauges. */
    static final Duration SAMPLE = Duration.ofSeconds(10);

    /** The interval between samples of {@link #seconds()}. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Timers in milliseconds; all others are in seconds. */
    private static final Set<String> IN_MILLIS =
            Set.of("feed.latency", "query_latency", "embedder.latency");

    /** Timers that have percentiles end so. */
    private static final String LATENCY = "latency";

    private static final IntervalTimer.Extremes NO_TIMES = new IntervalTimer.Extremes(0, 0, 0);

    private static final double[] PERCENTILES = {0.95, 0.99};

    private final MeterRegistry registry = new IntervalTimer.Registry();
    private final InstantSource clock;

    // Values of the current interval; guarded by this.
    private Instant begin;
    private Map<Meter.Id, Totals> before = new HashMap<>();
    private Map<Meter.Id, DoubleSummaryStatistics> samples = new HashMap<>();
    private @Nullable ScheduledExecutorService thread;

    private final MetricHistory history = new MetricHistory();
    private final SecondHistory seconds;
    private volatile Complete complete;

    /** The value of a counter or a timer since the start of the process. */
    private record Totals(double count, double sum) {
        static final Totals NONE = new Totals(0, 0);

        Totals minus(Totals that) {
            return new Totals(count - that.count, sum - that.sum);
        }
    }

    /** The last complete interval. */
    private record Complete(
            Instant from,
            Instant to,
            Map<Meter.Id, Map<String, Double>> counted,
            Map<Meter.Id, DoubleSummaryStatistics> samples) {
        double seconds() {
            return Duration.between(from, to).toNanos() / 1e9;
        }
    }

    /** Begins the first interval, which does not end before {@link #start()} is called. */
    public MetricIntervals(InstantSource clock) {
        this.clock = clock;
        this.begin = clock.instant();
        this.seconds = new SecondHistory(registry, clock);
        this.complete = new Complete(begin, begin, Map.of(), Map.of());
        registry.config().meterFilter(new LatencyPercentiles());
    }

    /** Adds percentiles to timers of latencies. */
    private static final class LatencyPercentiles implements MeterFilter {
        @Override
        public DistributionStatisticConfig configure(
                Meter.Id id, DistributionStatisticConfig config) {
            return id.getType() == Meter.Type.TIMER && id.getName().endsWith(LATENCY)
                    ? DistributionStatisticConfig.builder()
                            .percentiles(PERCENTILES)
                            .build()
                            .merge(config)
                    : config;
        }
    }

    /** Returns where meters are registered. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Returns the values of the last hour. */
    public MetricHistory history() {
        return history;
    }

    /** Returns the values of each second. */
    public SecondHistory seconds() {
        return seconds;
    }

    /** Returns the number of requests that the ports with these metrics have answered. */
    public long requests() {
        Timer requests = registry.find(Metrics.REQUESTS).timer();
        return requests == null ? 0 : requests.count();
    }

    /** Starts a thread that reads the meters, until this is closed. */
    public synchronized void start() {
        if (thread != null) {
            throw new IllegalStateException("started already");
        }
        thread =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("metrics").factory());
        long millis = SAMPLE.toMillis();
        // The futures are not needed, because the tasks never fail.
        var _ =
                thread.scheduleAtFixedRate(
                        () -> runOrTell(this::sample), millis, millis, TimeUnit.MILLISECONDS);
        long second = SECOND.toMillis();
        var _ =
                thread.scheduleAtFixedRate(
                        () -> runOrTell(seconds::sample), second, second, TimeUnit.MILLISECONDS);
    }

    /** Catches everything: the next read may succeed. */
    private static void runOrTell(Runnable read) {
        try {
            read.run();
        } catch (RuntimeException e) {
            LOG.warn("Metrics could not be read", e);
        }
    }

    /** Reads the gauges once, and ends the interval if it is over. */
    synchronized void sample() {
        for (Meter meter : registry.getMeters()) {
            if (meter instanceof Gauge gauge && isOwn(gauge) && Double.isFinite(gauge.value())) {
                samples.computeIfAbsent(gauge.getId(), _ -> new DoubleSummaryStatistics())
                        .accept(gauge.value());
            }
        }
        Instant now = clock.instant();
        if (Duration.between(begin, now).compareTo(INTERVAL) >= 0) {
            end(now);
        }
    }

    private void end(Instant now) {
        var totals = new HashMap<Meter.Id, Totals>();
        var counted = new HashMap<Meter.Id, Map<String, Double>>();
        double seconds = Duration.between(begin, now).toNanos() / 1e9;
        for (Meter meter : registry.getMeters()) {
            totals(meter)
                    .ifPresent(total -> {
                        Totals old = before.getOrDefault(meter.getId(), Totals.NONE);
                        totals.put(meter.getId(), total);
                        counted.put(
                                meter.getId(),
                                values(meter, total.minus(old), seconds, extremes(meter)));
                    });
        }
        complete = new Complete(begin, now, counted, samples);
        history.add(snapshot());
        begin = now;
        before = totals;
        samples = new HashMap<>();
    }

    private static Optional<Totals> totals(Meter meter) {
        return switch (meter) {
            case Timer timer ->
                    Optional.of(new Totals(timer.count(), timer.totalTime(unit(meter.getId()))));
            case Counter counter -> Optional.of(new Totals(counter.count(), 0));
            case FunctionCounter counter -> Optional.of(new Totals(counter.count(), 0));
            default -> Optional.empty();
        };
    }

    private static Map<String, Double> values(
            Meter meter, Totals made, double seconds, IntervalTimer.Extremes extremes) {
        var values = new LinkedHashMap<String, Double>();
        values.put("count", made.count());
        values.put("rate", seconds == 0 ? 0 : made.count() / seconds);
        if (meter instanceof Timer timer) {
            TimeUnit unit = unit(timer.getId());
            boolean isEmpty = made.count() == 0;
            values.put("average", isEmpty ? 0 : made.sum() / made.count());
            values.put("sum", made.sum());
            values.put("last", in(extremes.last(), unit));
            values.put("max", isEmpty ? 0 : in(extremes.max(), unit));
            values.put("min", isEmpty ? 0 : in(extremes.min(), unit));
            for (ValueAtPercentile at : timer.takeSnapshot().percentileValues()) {
                values.put(
                        Math.round(100 * at.percentile()) + "percentile",
                        isEmpty ? 0 : at.value(unit));
            }
        }
        return values;
    }

    private static IntervalTimer.Extremes extremes(Meter meter) {
        return meter instanceof IntervalTimer timer ? timer.takeExtremes() : NO_TIMES;
    }

    private static double in(long nanos, TimeUnit unit) {
        return (double) nanos / unit.toNanos(1);
    }

    private static TimeUnit unit(Meter.Id id) {
        return IN_MILLIS.contains(id.getName()) ? TimeUnit.MILLISECONDS : TimeUnit.SECONDS;
    }

    /** Returns whether a gauge is not one that the registry makes for a percentile of a timer. */
    private static boolean isOwn(Gauge gauge) {
        return gauge.getId().syntheticAssociation() == null;
    }

    /** Returns the values of all meters. */
    MetricSnapshot snapshot() {
        Complete last = complete;
        List<Metric> metrics =
                registry.getMeters().stream()
                        .flatMap(meter -> metric(meter, last).stream())
                        .sorted(
                                Comparator.comparing(Metric::name)
                                        .thenComparing(metric -> metric.dimensions().toString()))
                        .toList();
        return new MetricSnapshot(last.from(), last.to(), clock.instant(), metrics);
    }

    /** Returns empty if a gauge has no value. */
    private static Optional<Metric> metric(Meter meter, Complete last) {
        Map<String, Double> values;
        if (meter instanceof Gauge gauge) {
            double now = gauge.value();
            if (!isOwn(gauge) || !Double.isFinite(now)) {
                return Optional.empty();
            }
            values = values(now, last);
            DoubleSummaryStatistics seen = last.samples().get(gauge.getId());
            if (seen != null) {
                values = values(seen, now, last.seconds());
            }
        } else {
            Optional<Totals> totals = totals(meter);
            if (totals.isEmpty()) {
                return Optional.empty();
            }
            Map<String, Double> counted = last.counted().get(meter.getId());
            values = counted == null ? values(meter, Totals.NONE, 0, NO_TIMES) : counted;
        }
        var dimensions = new TreeMap<String, String>();
        for (Tag tag : meter.getId().getTags()) {
            dimensions.put(tag.getKey(), tag.getValue());
        }
        return Optional.of(new Metric(meter.getId().getName(), dimensions, values));
    }

    private static Map<String, Double> values(double now, Complete last) {
        var seen = new DoubleSummaryStatistics();
        seen.accept(now);
        return values(seen, now, last.seconds());
    }

    private static Map<String, Double> values(
            DoubleSummaryStatistics seen, double now, double seconds) {
        var values = new LinkedHashMap<String, Double>();
        values.put("average", seen.getAverage());
        values.put("sum", seen.getSum());
        values.put("count", (double) seen.getCount());
        values.put("last", now);
        values.put("max", seen.getMax());
        values.put("min", seen.getMin());
        values.put("rate", seconds == 0 ? 0 : seen.getCount() / seconds);
        return values;
    }

    /** Returns, of every timer with percentiles, the table of how many requests took how long. */
    String histograms() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            registry.getMeters().stream()
                    .filter(Timer.class::isInstance)
                    .map(Timer.class::cast)
                    .sorted(Comparator.comparing(timer -> timer.getId().toString()))
                    .forEach(timer -> write(timer, out));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void write(Timer timer, PrintStream out) {
        HistogramSnapshot histogram = timer.takeSnapshot();
        if (histogram.percentileValues().length == 0) {
            return;
        }
        TimeUnit unit = unit(timer.getId());
        out.print("# " + timer.getId().getName());
        timer.getId()
                .getTags()
                .forEach(tag -> out.print(" " + tag.getKey() + "=" + tag.getValue()));
        out.println(unit == TimeUnit.MILLISECONDS ? ", milliseconds" : ", seconds");
        histogram.outputSummary(out, (double) unit.toNanos(1));
        out.println();
    }

    /** Ends the thread, and closes the registry. */
    @Override
    public void close() {
        stop();
        registry.close();
    }

    /** Stops the thread. After that, meters are only read on request. */
    public void stop() {
        ScheduledExecutorService running;
        synchronized (this) {
            running = thread;
            thread = null;
        }
        // Not while this is held: the thread takes it.
        if (running != null) {
            running.close();
        }
    }
}
