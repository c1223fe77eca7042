package org.crabro.container.admin;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread at a time change what is deployed; others wait for a while. Each turn begins with
 * the deletion of sessions that nobody activated in time.
 *
 * <p>A turn is taken on a thread of its own. Requests are served by virtual threads, which keep a
 * processor's carrier until they wait for something: a package that compiles on one would keep
 * queries from that processor all the time, while a thread of its own shares it with them.
 */
final class DeployTurns implements AutoCloseable {
    private final Semaphore free = new Semaphore(1, true);
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("deploying").factory());
    private final Duration maxWait;
    private final PackageStore store;
    private final Sessions sessions;
    private final InstantSource clock;

    /**
     * @param maxWait nobody waits longer, whatever is asked for
     */
    DeployTurns(Duration maxWait, PackageStore store, Sessions sessions, InstantSource clock) {
        this.maxWait = maxWait;
        this.store = store;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** Something that is done while nobody else deploys. */
    interface Turn {
        DeployReply run() throws IOException;
    }

    /**
     * Does {@code turn} when no other is under way. A turn that has begun goes on to its end, also
     * where who waits for it is interrupted.
     *
     * @param wait how long to wait for that; then the answer is {@link DeployReply.Busy}
     */
    DeployReply take(Duration wait, Turn turn) throws IOException, InterruptedException {
        Duration bounded = wait.compareTo(maxWait) < 0 ? wait : maxWait;
        if (!free.tryAcquire(bounded.toNanos(), TimeUnit.NANOSECONDS)) {
            return new DeployReply.Busy(bounded);
        }
        Future<DeployReply> reply;
        try {
            reply =
                    thread.submit(() -> {
                        try {
                            return run(turn);
                        } finally {
                            free.release();
                        }
                    });
        } catch (RejectedExecutionException e) {
            free.release();
            throw e;
        }
        try {
            return reply.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private DeployReply run(Turn turn) throws IOException {
        for (DeploySession session : sessions.over(clock.instant())) {
            store.discard(session.number());
            sessions.remove(session.number());
        }
        return turn.run();
    }

    /** Waits for the turn that is under way, and takes no more. */
    @Override
    public void close() {
        thread.close();
    }
}
