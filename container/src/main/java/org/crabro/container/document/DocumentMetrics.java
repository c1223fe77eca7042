package org.crabro.container.document;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Counts and times operations, under the metric names of Vespa. */
public final class DocumentMetrics {
    /** The kind of an operation. */
    public enum Operation {
        GET,
        PUT,
        UPDATE,
        REMOVE
    }

    /** The outcome of an operation in metrics. */
    enum Status {
        OK("httpapi_succeeded"),
        NOT_FOUND("httpapi_not_found"),
        REQUEST_ERROR("httpapi_parse_error"),
        CONDITION_FAILED("httpapi_condition_not_met"),
        OVERLOAD("httpapi_failed"),
        TIMEOUT("httpapi_failed_timeout"),
        INSUFFICIENT_STORAGE("httpapi_failed_insufficient_storage"),
        ERROR("httpapi_failed_unknown");

        private final String meter;

        Status(String meter) {
            this.meter = meter;
        }

        boolean isFailure() {
            return switch (this) {
                case OK, NOT_FOUND -> false;
                case REQUEST_ERROR,
                        CONDITION_FAILED,
                        OVERLOAD,
                        TIMEOUT,
                        INSUFFICIENT_STORAGE,
                        ERROR ->
                        true;
            };
        }

        static Status of(int httpStatus) {
            return switch (httpStatus) {
                case 200 -> OK;
                case 404 -> NOT_FOUND;
                case 412 -> CONDITION_FAILED;
                case 429 -> OVERLOAD;
                case 504 -> TIMEOUT;
                case 507 -> INSUFFICIENT_STORAGE;
                default -> httpStatus >= 400 && httpStatus < 500 ? REQUEST_ERROR : ERROR;
            };
        }
    }

    /** The meters of one operation with one status. */
    private record Meters(List<Counter> counters, List<Timer> timers) {}

    private record Kind(Operation operation, Status status) {}

    private final Map<Kind, Meters> meters = new HashMap<>();

    public DocumentMetrics(MeterRegistry registry) {
        for (Operation operation : Operation.values()) {
            for (Status status : Status.values()) {
                meters.put(new Kind(operation, status), meters(registry, operation, status));
            }
        }
    }

    private static Meters meters(MeterRegistry registry, Operation operation, Status status) {
        String name = operation.name().toLowerCase(Locale.ROOT);
        var counters = new ArrayList<Counter>();
        var timers = new ArrayList<Timer>();
        counters.add(registry.counter("httpapi_num_operations"));
        counters.add(registry.counter("httpapi_num_" + name + "s"));
        counters.add(registry.counter(status.meter));
        timers.add(registry.timer("httpapi_latency"));
        if (status.isFailure() && status != Status.OVERLOAD) {
            counters.add(registry.counter(Status.OVERLOAD.meter));
        }
        if (operation != Operation.GET) {
            String[] tags = {"operation", name, "status", status.name()};
            counters.add(registry.counter("feed.operations", tags));
            timers.add(registry.timer("feed.latency", tags));
        }
        return new Meters(List.copyOf(counters), List.copyOf(timers));
    }

    /** Counts an operation that was answered with {@code httpStatus} after {@code nanos}. */
    public void count(Operation operation, int httpStatus, long nanos) {
        count(operation, httpStatus, nanos, 1);
    }

    /**
     * Counts the operations of a batch that were answered with {@code httpStatus}; the time of the
     * batch counts once.
     */
    public void count(Operation operation, int httpStatus, long nanos, int operations) {
        var kind = new Kind(operation, Status.of(httpStatus));
        Meters touched = Objects.requireNonNull(meters.get(kind));
        touched.counters.forEach(counter -> counter.increment(operations));
        touched.timers.forEach(timer -> timer.record(nanos, TimeUnit.NANOSECONDS));
    }
}
