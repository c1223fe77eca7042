package org.crabro.server.warmup;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.content.node.ContentService;
import org.crabro.ranking.onnx.Embedder;
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

    /**
     * Before and after a deployment, this many queries are sent for each document that is stored:
     * clients then feed documents and search them at once.
     */
    private static final int QUERIES_PER_DOCUMENT = 8;

    private static final int DOCUMENTS_MAX = 1_000;

    /** The time limit, regardless of the number of queries. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Time without requests of clients after which the queries go on. */
    private static final Duration QUIET = Duration.ofMillis(250);

    /** The time that closing waits for the thread, which is a daemon. */
    private static final Duration CLOSE_WAIT = Duration.ofMillis(500);

    private final Path directory;
    private final Duration beforeReady;
    private final Supplier<Map<String, Embedder>> embedders;
    private final LongSupplier answered;
    private final LongSupplier inProgress;
    private final Function<ContentService, ClusterNodes> link;
    private final AtomicLong queries = new AtomicLong();
    private @Nullable Run run;
    private int runs;

    /**
     * @param directory for generated documents; what an earlier process left in it is deleted
     * @param beforeReady the time before the server is ready; 0 for no warm-up at all
     * @param embedders returns those of the active application, by id
     * @param answered returns the number of requests of clients that were answered
     * @param inProgress returns the number of requests of clients that are in progress
     * @param link links the container with a content node, as in the server
     */
    public QueryWarmUp(
            Path directory,
            Duration beforeReady,
            Supplier<Map<String, Embedder>> embedders,
            LongSupplier answered,
            LongSupplier inProgress,
            Function<ContentService, ClusterNodes> link) {
        this.directory = directory;
        this.beforeReady =
                beforeReady.compareTo(BEFORE_READY_MAX) > 0 ? BEFORE_READY_MAX : beforeReady;
        this.embedders = embedders;
        this.answered = answered;
        this.inProgress = inProgress;
        this.link = link;
    }

    /** Returns a warm-up that sends no queries. */
    public static QueryWarmUp none() {
        return new QueryWarmUp(
                Path.of(""),
                Duration.ZERO,
                Map::of,
                () -> 0,
                () -> 0,
                _ -> {
                    throw new IllegalStateException("no queries are sent");
                });
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
        try {
            UnforcedFiles.delete(directory);
        } catch (IOException e) {
            LOG.warn("'{}' could not be deleted", directory, e);
        }
        start(active, false).awaitReady();
    }

    /**
     * Sends queries for an application that was deployed, for the same time, then continues in the
     * background. Returns at once if a client sends a request.
     */
    public void deployed(ApplicationModel application) {
        if (!beforeReady.isZero()) {
            start(Optional.of(application), true).awaitReady();
        }
    }

    private synchronized Run start(Optional<ApplicationModel> application, boolean hasClients) {
        if (run != null) {
            run.end();
        }
        runs++;
        Run next = new Run(application, hasClients, directory.resolve("" + runs));
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
        private final boolean hasClients;
        private final Path documents;
        private final long begin = System.nanoTime();
        private final CountDownLatch ready = new CountDownLatch(1);
        private final Thread thread =
                Thread.ofPlatform().daemon().name("warm-up-queries").unstarted(this::run);
        private final CountDownLatch ended = new CountDownLatch(1);

        private volatile boolean isWaiting;

        /** How many requests clients had sent when this looked last, and when it saw a new one. */
        private long seen = answered.getAsLong();

        private long seenAt = begin;

        /**
         * @param hasClients whether clients may send requests, which go first
         * @param documents the directory for the documents
         */
        Run(Optional<ApplicationModel> application, boolean hasClients, Path documents) {
            this.application = application;
            this.hasClients = hasClients;
            this.documents = documents;
        }

        /** The root of the thread: the server does not need the queries. */
        private void run() {
            ApplicationModel model =
                    application.map(WarmUpModel::of).orElseGet(WarmUpModel::builtIn);
            if (model.schemas().isEmpty()) {
                model = WarmUpModel.builtIn();
            }
            try (var server = WarmUpServer.start(model, embedders.get(), documents, link)) {
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
                boolean isReady = age().compareTo(beforeReady) >= 0;
                isWaiting = (isReady || hasClients) && !isQuiet();
                if (isReady || isWaiting) {
                    ready.countDown();
                }
                if (isWaiting) {
                    boolean _ = ended.await(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                    continue;
                }
                if (isDocumentNext(sent)) {
                    server.put();
                }
                server.ask(sent);
                sent++;
                queries.incrementAndGet();
            }
            return sent;
        }

        /** Returns whether a document is stored before the query. */
        private boolean isDocumentNext(int query) {
            return (hasClients || application.isEmpty())
                    && query % QUERIES_PER_DOCUMENT == 0
                    && query / QUERIES_PER_DOCUMENT < DOCUMENTS_MAX;
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
                boolean _ = ready.await(beforeReady.minus(age()).toNanos(), TimeUnit.NANOSECONDS);
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
