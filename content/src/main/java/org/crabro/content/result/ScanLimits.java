package org.crabro.content.result;

import java.time.Duration;

/**
 * The bounds of searches of one node.
 *
 * @param running searches that run at a time; more wait
 * @param suspended searches that have begun and wait for others, each with its memory
 * @param suspendedOfClient the same, of one client; others of this client begin only afterwards
 * @param waiting searches that wait, begun or not; more are answered as overload
 * @param waitingOfClient the same, of one client
 * @param quantum how long a search runs while others wait, before it is the next one's turn
 */
public record ScanLimits(
        int running,
        int suspended,
        int suspendedOfClient,
        int waiting,
        int waitingOfClient,
        Duration quantum) {
    /** Twice as many as processors answer on threads of HTTP, and the rest on threads of ours. */
    private static final int RUNNING_PER_CORE = 3;

    private static final int SUSPENDED = 64;
    private static final int SUSPENDED_OF_CLIENT = 16;
    private static final int WAITING = 1_000;
    private static final int WAITING_OF_CLIENT = 500;
    private static final Duration QUANTUM = Duration.ofMillis(5);

    public ScanLimits {
        if (running < 1
                || suspended < 1
                || suspendedOfClient < 1
                || waiting < 1
                || waitingOfClient < 1) {
            throw new IllegalArgumentException(
                    "%d searches run, %d and %d of a client are suspended, %d and %d of a client wait; each must be at least 1"
                            .formatted(
                                    running,
                                    suspended,
                                    suspendedOfClient,
                                    waiting,
                                    waitingOfClient));
        }
    }

    /** Returns the defaults of a node with {@code cores} threads that scan. */
    public static ScanLimits of(int cores) {
        return new ScanLimits(
                RUNNING_PER_CORE * cores,
                SUSPENDED,
                SUSPENDED_OF_CLIENT,
                WAITING,
                WAITING_OF_CLIENT,
                QUANTUM);
    }
}
