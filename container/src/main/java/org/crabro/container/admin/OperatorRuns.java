package org.crabro.container.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs an operation that an operator requests, one at a time, on a thread of its own. A run
 * continues if its caller stops waiting. The last run is kept.
 *
 * @param <A> the type of requests
 * @param <R> the type of results
 */
final class OperatorRuns<A, R> {
    private final String name;
    private final Function<A, R> operation;
    private final Function<Throwable, R> failed;
    private Optional<Run<A, R>> last = Optional.empty();

    /** A run, under way or not. */
    record Run<A, R>(A asked, CompletableFuture<R> reply) {
        /** Returns the result of the run, or empty if it takes longer than {@code wait}. */
        Optional<R> await(Duration wait) throws InterruptedException {
            try {
                return Optional.of(reply.get(wait.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException _) {
                return Optional.empty();
            } catch (ExecutionException e) {
                throw new IllegalStateException("replies are never exceptions", e);
            }
        }
    }

    /**
     * @param name of the thread
     * @param failed returns the reply of a run that ended with an exception
     */
    OperatorRuns(String name, Function<A, R> operation, Function<Throwable, R> failed) {
        this.name = name;
        this.operation = operation;
        this.failed = failed;
    }

    /** Starts a run, or returns empty if one is in progress. */
    synchronized Optional<Run<A, R>> begin(A asked) {
        if (last.isPresent() && !last.get().reply().isDone()) {
            return Optional.empty();
        }
        var run = new Run<>(asked, new CompletableFuture<R>());
        last = Optional.of(run);
        Thread.ofPlatform().name(name).daemon().start(() -> complete(run));
        return last;
    }

    private void complete(Run<A, R> run) {
        try {
            run.reply().complete(operation.apply(run.asked()));
        } catch (RuntimeException e) {
            // The root of a thread.
            run.reply().complete(failed.apply(e));
        }
    }

    /** Returns the run that began last. */
    synchronized Optional<Run<A, R>> last() {
        return last;
    }
}
