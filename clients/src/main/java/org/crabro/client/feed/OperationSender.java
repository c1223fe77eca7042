package org.crabro.client.feed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.client.http.BusyWait;
import org.crabro.client.http.RetryAfter;
import org.crabro.client.http.RetryPauses;
import org.crabro.client.http.ServerAccess;
import org.crabro.document.DocumentId;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations: within a window, one at a time per document, again if the server is busy or
 * does not answer, and not at all to a server that has not answered for long. Thread-safe.
 */
final class OperationSender implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ServerAccess server;
    private final FeedSettings settings;
    private final List<HttpClient> connections;

    /** The number of requests on each connection. */
    private final AtomicIntegerArray inFlight;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("feed-retries").factory());

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final SendWindow window;
    private final CircuitBreaker breaker;
    private int unfinished;

    /** The operations that have no place any more, and whose outcome is being completed. */
    private int completing;

    /** Operations that wait for an earlier one on their document; empty if only that is sent. */
    private final Map<DocumentId, Deque<Sending>> documents = new HashMap<>();

    OperationSender(ServerAccess server, FeedSettings settings, List<HttpClient> connections) {
        this.server = server;
        this.settings = settings;
        this.connections = List.copyOf(connections);
        this.inFlight = new AtomicIntegerArray(connections.size());
        this.window = settings.sendWindow();
        this.breaker = new CircuitBreaker(GRACE, settings.openAfter());
    }

    /** An operation that is not finished. */
    private final class Sending {
        private final FeedOperation operation;
        private final FeedStatistics statistics;
        private final OperationTurn turn;
        private final CompletableFuture<OperationOutcome> outcome = new CompletableFuture<>();
        private final BusyWait busyWait = new BusyWait(settings.busy());

        /** How often it was sent without an answer. */
        private int failures;

        Sending(FeedOperation operation, FeedStatistics statistics, OperationTurn turn) {
            this.operation = operation;
            this.statistics = statistics;
            this.turn = turn;
        }

        /** Sends the operation for the first time, unless an earlier one keeps it from that. */
        void begin() {
            if (turn.mayBegin()) {
                send();
            } else {
                fail(
                        this,
                        new IOException(
                                "not sent, because an earlier operation on the document is not done"));
            }
        }

        void send() {
            long bytes = operation.body().map(body -> (long) body.length()).orElse(0L);
            statistics.requested(bytes);
            long begin = System.nanoTime();
            int connection = takeConnection();
            CompletableFuture<HttpResponse<String>> answer;
            try {
                answer =
                        server.sendAsync(
                                connections.get(connection),
                                request(operation),
                                HttpResponse.BodyHandlers.ofString());
            } catch (RuntimeException e) {
                // Such as a client that is closed.
                inFlight.decrementAndGet(connection);
                failed(this, e);
                return;
            }
            var _ =
                    answer.whenComplete((response, failure) -> {
                        inFlight.decrementAndGet(connection);
                        if (response != null) {
                            statistics.responded(
                                    response.body().length(),
                                    (System.nanoTime() - begin) / 1_000_000);
                            answered(this, response);
                        } else {
                            statistics.excepted();
                            failed(this, failure);
                        }
                    });
        }
    }

    /** Returns how many operations may be unfinished at present. */
    int windowSize() {
        lock.lock();
        try {
            return window.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends an operation when the window has a place, and waits for that.
     *
     * @return completes with the answer, or with an {@link IOException} if there is none
     */
    CompletableFuture<OperationOutcome> send(FeedOperation operation, FeedStatistics statistics)
            throws InterruptedException {
        return send(operation, statistics, OperationTurn.FREE);
    }

    /**
     * Does the same.
     *
     * @param turn follows the operation
     */
    CompletableFuture<OperationOutcome> send(
            FeedOperation operation, FeedStatistics statistics, OperationTurn turn)
            throws InterruptedException {
        var sending = new Sending(operation, statistics, turn);
        lock.lockInterruptibly();
        try {
            if (!hasPlace()) {
                window.filled();
            }
            while (!hasPlace()) {
                changed.await();
            }
            statistics.begun();
            long now = System.nanoTime();
            if (breaker.state(now) == CircuitBreaker.State.OPEN && !breaker.mayProbe(now)) {
                turn.ended(Optional.empty());
                sending.outcome.completeExceptionally(unreachable());
                return sending.outcome;
            }
            unfinished++;
            Deque<Sending> earlier = documents.get(operation.id());
            if (earlier != null) {
                earlier.addLast(sending);
                return sending.outcome;
            }
            documents.put(operation.id(), new ArrayDeque<>());
        } finally {
            lock.unlock();
        }
        sending.begin();
        return sending.outcome;
    }

    private boolean hasPlace() {
        return switch (breaker.state(System.nanoTime())) {
            case CLOSED -> unfinished < window.size();
            case HALF_OPEN -> unfinished == 0;
            case OPEN -> true;
        };
    }

    private IOException unreachable() {
        return new IOException(
                "%s has not answered for %d s; nothing is sent until it answers again"
                        .formatted(server, settings.openAfter().toSeconds()));
    }

    /** Counts a request on the connection with the fewest, and returns its index. */
    private int takeConnection() {
        int fewest = 0;
        for (int i = 1; i < connections.size(); i++) {
            if (inFlight.get(i) < inFlight.get(fewest)) {
                fewest = i;
            }
        }
        inFlight.incrementAndGet(fewest);
        return fewest;
    }

    private HttpRequest request(FeedOperation operation) {
        URI address =
                URI.create(DocumentUrl.of(server.address(), operation.id()) + operation.query());
        return server.request(address)
                .timeout(settings.timeout())
                .header("Content-Type", "application/json")
                .method(
                        operation.method(),
                        operation
                                .body()
                                .map(HttpRequest.BodyPublishers::ofString)
                                .orElseGet(HttpRequest.BodyPublishers::noBody))
                .build();
    }

    private void answered(Sending sending, HttpResponse<String> response) {
        int status = response.statusCode();
        boolean isBusy = RetryAfter.isBusy(status);
        lock.lock();
        try {
            long now = System.nanoTime();
            breaker.answered();
            if (isBusy) {
                window.refused(now);
            } else {
                window.answered(1, now);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Optional<Duration> pause =
                isBusy
                        ? sending.busyWait.next(
                                RetryAfter.of(response),
                                System.nanoTime(),
                                "%s answered %d".formatted(server, status))
                        : Optional.empty();
        if (pause.isPresent()) {
            again(sending, pause.get());
        } else {
            var outcome = new OperationOutcome(sending.operation.id(), status, response.body());
            finish(sending, Optional.of(outcome), () -> sending.outcome.complete(outcome));
        }
    }

    private void failed(Sending sending, @Nullable Throwable failure) {
        boolean isOpen;
        lock.lock();
        try {
            long now = System.nanoTime();
            breaker.failed(now);
            isOpen = breaker.state(now) == CircuitBreaker.State.OPEN;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        sending.failures++;
        if (!isOpen && sending.failures < settings.attempts() && cause instanceof IOException) {
            again(sending, RetryPauses.DEFAULT.after(sending.failures));
        } else {
            IOException reason =
                    cause instanceof IOException ioFailure
                            ? ioFailure
                            : new IOException("the request failed: " + cause, cause);
            fail(sending, reason);
        }
    }

    private void fail(Sending sending, IOException reason) {
        finish(sending, Optional.empty(), () -> sending.outcome.completeExceptionally(reason));
    }

    private void again(Sending sending, Duration pause) {
        try {
            var _ = timer.schedule(sending::send, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            var reason =
                    new IOException("the client was closed before the operation was answered", e);
            fail(sending, reason);
        }
    }

    /**
     * Frees the place of an operation, sends the next one on its document, and completes the
     * outcome. Callbacks of the outcome may send, so the place is free before them.
     */
    private void finish(Sending sending, Optional<OperationOutcome> outcome, Runnable completion) {
        sending.turn.ended(outcome);
        Sending next = null;
        lock.lock();
        try {
            unfinished--;
            completing++;
            Deque<Sending> later = documents.get(sending.operation.id());
            if (later != null) {
                next = later.pollFirst();
                if (next == null) {
                    documents.remove(sending.operation.id());
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.begin();
        }
        try {
            completion.run();
        } finally {
            lock.lock();
            try {
                completing--;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until every operation is finished and counted. */
    void awaitAll() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (unfinished + completing > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends operations that wait for a retry at once, and waits for all answers. */
    @Override
    public void close() {
        timer.shutdownNow().forEach(Runnable::run);
        connections.forEach(HttpClient::close);
    }
}
