package org.crabro.container.admin;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread at a time change what is deployed; others wait for a while. Each turn begins with
 * the deletion of sessions that nobody activated in time.
 */
final class DeployTurns {
    private final ReentrantLock lock = new ReentrantLock();
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
     * Does {@code turn} when no other is under way.
     *
     * @param wait how long to wait for that; then the answer is {@link DeployReply.Busy}
     */
    DeployReply take(Duration wait, Turn turn) throws IOException, InterruptedException {
        Duration bounded = wait.compareTo(maxWait) < 0 ? wait : maxWait;
        if (!lock.tryLock(bounded.toNanos(), TimeUnit.NANOSECONDS)) {
            return new DeployReply.Busy(bounded);
        }
        try {
            for (DeploySession session : sessions.over(clock.instant())) {
                store.discard(session.number());
                sessions.remove(session.number());
            }
            return turn.run();
        } finally {
            lock.unlock();
        }
    }
}
