package org.crabro.content.node;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.document.FieldType;
import org.crabro.ranking.kernel.KernelWarmUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the JVM compile the loops of searches in the fields of schemas on a background thread, so
 * that queries some seconds after a start or a deployment do not wait for the compiler. Requests go
 * first, for some seconds: those that need the loops make the JVM compile them, too.
 */
final class SearchWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SearchWarmUp.class);

    /**
     * The delay before it starts, so that it does not take processor time from immediate queries.
     */
    static final Duration DELAY = Duration.ofSeconds(2);

    /** Time without new requests after which the loops run. */
    private static final Duration QUIET = Duration.ofMillis(250);

    /** The time after the activation of a schema from which on loops do not wait for requests. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Duration delay;
    private final LongSupplier requests;

    /** One thread, only while there are tasks. */
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(
                    1,
                    Thread.ofPlatform().name("warm-up").daemon().factory(),
                    new ThreadPoolExecutor.DiscardPolicy());

    /**
     * @param delay the time between the activation of a schema and the run of its loops
     * @param requests returns the number of requests that began since the start of the node
     */
    SearchWarmUp(Duration delay, LongSupplier requests) {
        this.delay = delay;
        this.requests = requests;
        thread.setKeepAliveTime(DELAY.toNanos(), TimeUnit.NANOSECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Schedules the loops for searches in {@code schemas}; does nothing after this is closed. */
    void plan(Collection<Schema> schemas) {
        Set<KernelWarmUp.Loops> loops = loops(schemas);
        if (!loops.isEmpty()) {
            var turn = new Turn(requests, System::nanoTime);
            // The result is not used; errors are logged.
            Future<?> _ =
                    thread.schedule(() -> run(loops, turn), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static void run(Set<KernelWarmUp.Loops> loops, Turn turn) {
        try {
            loops.forEach(kind -> KernelWarmUp.run(kind, turn));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Search loops could not be compiled ahead; they are compiled at their first use",
                    e);
        }
    }

    /** Waits while there are new requests, but not longer than {@link #LONGEST_WAIT} in all. */
    static final class Turn implements Runnable {
        private final LongSupplier requests;
        private final LongSupplier nanoTime;
        private final long end;
        private long seen;
        private long seenAt;

        Turn(LongSupplier requests, LongSupplier nanoTime) {
            this.requests = requests;
            this.nanoTime = nanoTime;
            this.seen = requests.getAsLong();
            this.seenAt = nanoTime.getAsLong() - QUIET.toNanos();
            this.end = nanoTime.getAsLong() + LONGEST_WAIT.toNanos();
        }

        /** Returns early if the thread is interrupted. */
        @Override
        public void run() {
            for (long left = left();
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = left()) {
                LockSupport.parkNanos(left);
            }
        }

        /** Returns the time to wait at least; 0 or less for none. */
        long left() {
            long now = nanoTime.getAsLong();
            long begun = requests.getAsLong();
            if (begun != seen) {
                seen = begun;
                seenAt = now;
            }
            return Math.min(seenAt + QUIET.toNanos() - now, end - now);
        }
    }

    static Set<KernelWarmUp.Loops> loops(Collection<Schema> schemas) {
        return schemas.stream()
                .flatMap(schema -> schema.readable().stream())
                .filter(SchemaField::isSearchable)
                .flatMap(field -> loops(field).stream())
                .collect(Collectors.toSet());
    }

    private static Optional<KernelWarmUp.Loops> loops(SchemaField field) {
        FieldType type = field.field().type();
        if (type instanceof FieldType.TensorOf(var tensor)) {
            return NearestSearch.indexedCount(tensor) == 1
                    ? Optional.of(
                            new KernelWarmUp.Vectors(
                                    field.values().metric(), tensor.subspaceType()))
                    : Optional.empty();
        }
        return field.isText() && field.matching().mode().unit() == MatchMode.Unit.TOKEN
                ? Optional.of(new KernelWarmUp.Numbers())
                : Optional.empty();
    }

    /** Returns the number of scheduled plans. */
    int planned() {
        return thread.getQueue().size();
    }

    /** Ends the thread, even during a run. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
