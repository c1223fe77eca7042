package org.crabro.server.warmup;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.crabro.config.deploy.ApplicationModel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends queries to a {@link WarmUpServer} in this process: for a while before the server is ready,
 * and afterwards while no client sends a request.
 *
 * <p>Methods are called by one thread at a time. A second application ends the queries for the
 * first one.
 */
public final class QueryWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueryWarmUp.class);

    /** The longest time before the server is ready, which the setting cannot exceed. */
    public static final Duration BEFORE_READY_MAX = Duration.ofSeconds(2);

    /** The default of the time before the server is ready. */
    public static final Duration BEFORE_READY = Duration.ofSeconds(1);

    /** The number of queries after which all code is compiled. */
    private static final int QUERIES_MAX = 30_000;

    /** The time limit, regardless of the number of queries. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Time without requests of clients after which the queries go on. */
    private static final Duration QUIET = Duration.ofMillis(250);

    /** The time that closing waits for the thread, which is a daemon. */
    private static final Duration CLOSE_WAIT = Duration.ofMillis(500);

    private final Duration beforeReady;
    private final LongSupplier answered;
    private final LongSupplier inProgress;
    private final AtomicLong queries = new AtomicLong();
    private @Nullable Run run;

    /**
     * @param beforeReady the time before the server is ready; 0 for no warm-up at all
     * @param answered returns the number of requests of clients that were answered
     * @param inProgress returns the number of requests of clients that are in progress
     */
    public QueryWarmUp(Duration beforeReady, LongSupplier answered, LongSupplier inProgress) {
        this.beforeReady =
                beforeReady.compareTo(BEFORE_READY_MAX) > 0 ? BEFORE_READY_MAX : beforeReady;
        this.answered = answered;
        this.inProgress = inProgress;
    }

    /**
     * Sends queries for the time before the server is ready, then continues in the background.
     *
     * @param active the application of the server, if it has one
     */
    public void beforeReady(Optional<ApplicationModel> active) {
        if (beforeReady.isZero()) {
            return;
        }
        start(active, beforeReady).awaitReady();
    }

    /** Sends queries for an application that was deployed, in the background. */
    public void deployed(ApplicationModel application) {
        if (!beforeReady.isZero()) {
            start(Optional.of(application), Duration.ZERO);
        }
    }

    private synchronized Run start(Optional<ApplicationModel> application, Duration busy) {
        if (run != null) {
            run.end();
        }
        Run next = new Run(application, busy);
        run = next;
        next.thread.start();
        return next;
    }

    /** Returns the number of queries that were answered. */
    long queries() {
        return queries.get();
    }

    /** Returns whether queries were started. */
    synchronized boolean isStarted() {
        return run != null;
    }

    /** Returns whether queries wait for requests of clients to end. */
    synchronized boolean isWaiting() {
        return run != null && run.isWaiting;
    }

    /** Ends the queries. */
    @Override
    public synchronized void close() {
        if (run != null) {
            run.end();
            run.awaitEnd();
        }
    }

    /** The queries for one application. */
    private final class Run {
        private final Optional<ApplicationModel> application;
        private final long begin = System.nanoTime();
        private final Duration busy;
        private final CountDownLatch ready = new CountDownLatch(1);
        private final Thread thread =
                Thread.ofPlatform().daemon().name("warm-up-queries").unstarted(this::run);
        private final CountDownLatch ended = new CountDownLatch(1);

        private volatile boolean isWaiting;

        /** How many requests clients had sent when this looked last, and when it saw a new one. */
        private long seen = answered.getAsLong();

        private long seenAt = begin;

        Run(Optional<ApplicationModel> application, Duration busy) {
            this.application = application;
            this.busy = busy;
        }

        /** The root of the thread: the server does not need the queries. */
        private void run() {
            ApplicationModel model =
                    application.map(WarmUpModel::of).orElseGet(WarmUpModel::builtIn);
            if (model.schemas().isEmpty()) {
                model = WarmUpModel.builtIn();
            }
            try (var server = WarmUpServer.start(model)) {
                int sent = sendTo(server);
                LOG.debug("{} queries warmed the server up", sent);
            } catch (IOException | RuntimeException e) {
                if (!isEnded()) {
                    LOG.warn("The first queries may be slow, since the warm-up failed", e);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                ready.countDown();
            }
        }

        private int sendTo(WarmUpServer server) throws IOException, InterruptedException {
            int sent = 0;
            while (!isEnded() && sent < QUERIES_MAX && age().compareTo(LONGEST) < 0) {
                if (age().compareTo(busy) >= 0) {
                    ready.countDown();
                    isWaiting = !isQuiet();
                    if (isWaiting) {
                        boolean _ = ended.await(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                        continue;
                    }
                }
                server.ask(sent);
                sent++;
                queries.incrementAndGet();
            }
            return sent;
        }

        private boolean isEnded() {
            return ended.getCount() == 0;
        }

        private Duration age() {
            return Duration.ofNanos(System.nanoTime() - begin);
        }

        private boolean isQuiet() {
            long now = answered.getAsLong();
            if (now != seen || inProgress.getAsLong() > 0) {
                seen = now;
                seenAt = System.nanoTime();
            }
            return seenAt == begin || System.nanoTime() - seenAt >= QUIET.toNanos();
        }

        void awaitReady() {
            try {
                boolean _ = ready.await(busy.minus(age()).toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        void end() {
            ended.countDown();
        }

        void awaitEnd() {
            try {
                thread.join(CLOSE_WAIT);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
