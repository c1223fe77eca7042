package org.crabro.container.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives bodies of requests a minimum rate. If the server has waited for a body for an interval, and
 * the connection has brought fewer bytes of bodies in it than the rate demands, reading fails with
 * {@link UnusableBodyException}, which is answered with 408.
 *
 * <p>Over HTTP/2 the bytes of all bodies of a connection count for each of them: a client on a slow
 * line sends many bodies at the same time and each of them slowly.
 */
final class BodyPace extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(BodyPace.class);

    /** The number of checks per interval. */
    private static final int LOOKS = 20;

    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final long intervalNanos;
    private final long minBytes;
    private final String problem;
    private final Executor executor;
    private final LongSupplier nanoTime;
    private final Function<Request, AtomicLong> ofConnection;
    private final Counter slow;

    /** Requests for whose bodies the server has waited, until they are answered. */
    private final Set<PacedRequest> watched = ConcurrentHashMap.newKeySet();

    private long slowSinceLog;
    private long loggedAt;

    /**
     * @param executor runs readers of bodies that are too slow
     * @param ofConnection returns the count of the bytes of all bodies of a request's connection
     * @param registry gets {@code http.bodies.slow}
     */
    BodyPace(
            Handler handler,
            BodyTimes times,
            Executor executor,
            LongSupplier nanoTime,
            Function<Request, AtomicLong> ofConnection,
            MeterRegistry registry) {
        super(handler);
        Duration interval = times.interval();
        this.intervalNanos = interval.toNanos();
        this.minBytes =
                times.minBytesPerSecond() == 0
                        ? 0
                        : Math.max(1, times.minBytesPerSecond() * interval.toMillis() / 1_000);
        this.problem =
                "the body comes too slowly: fewer than %d bytes in %d ms"
                        .formatted(minBytes, interval.toMillis());
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.ofConnection = ofConnection;
        this.slow = registry.counter("http.bodies.slow");
        this.loggedAt = nanoTime.getAsLong() - LOG_NANOS;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (minBytes == 0 || request.getLength() == 0) {
            return super.handle(request, response, callback);
        }
        return super.handle(
                new PacedRequest(request, executor, nanoTime, ofConnection.apply(request), watched),
                response,
                callback);
    }

    /** Looks at bodies from now on, until {@code scheduler} stops. */
    void watch(Scheduler scheduler) {
        scheduler.schedule(
                () -> {
                    check();
                    watch(scheduler);
                },
                Math.clamp(
                        TimeUnit.NANOSECONDS.toMillis(intervalNanos) / LOOKS,
                        1,
                        TimeUnit.SECONDS.toMillis(1)),
                TimeUnit.MILLISECONDS);
    }

    /** Fails the bodies that are too slow. For one thread. */
    void check() {
        for (PacedRequest each : watched) {
            if (each.check(intervalNanos, minBytes, problem)) {
                slow.increment();
                slowSinceLog++;
            }
        }
        long now = nanoTime.getAsLong();
        if (slowSinceLog > 0 && now - loggedAt >= LOG_NANOS) {
            LOG.warn("bodies of requests that came too slowly: {}", slowSinceLog);
            slowSinceLog = 0;
            loggedAt = now;
        }
    }

    /** Returns how many bodies the server waits for now. */
    int awaited() {
        return (int) watched.stream().filter(PacedRequest::isAwaited).count();
    }

    /** Returns the number of bodies that are checked. */
    int watched() {
        return watched.size();
    }
}
