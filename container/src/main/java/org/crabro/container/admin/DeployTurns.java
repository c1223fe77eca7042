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
 * Serializes deployments: one thread at a time has the turn, others wait for a limited time. Each
 * turn begins with the deletion of expired sessions.
 *
 * <p>A turn runs on a platform thread. Requests run on virtual threads, which keep their carrier
 * thread until they block. The compilation of a package on a virtual thread would keep queries from
 * that carrier.
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
     * @param maxWait the longest wait; requests cannot exceed it
     */
    DeployTurns(Duration maxWait, PackageStore store, Sessions sessions, InstantSource clock) {
        this.maxWait = maxWait;
        this.store = store;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** An operation that no other deployment may interleave. */
    interface Turn {
        DeployReply run() throws IOException;
    }

    /**
     * Runs {@code turn} when no other one runs. A turn that has begun runs to its end, even if the
     * waiting thread is interrupted.
     *
     * @param wait the time to wait for the turn; after it, the reply is {@link DeployReply.Busy}
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
            throw new UnavailableException("this server does not deploy packages any more", e);
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

    /** Waits for the turn in progress, and accepts no more. */
    @Override
    public void close() {
        thread.close();
    }
}
