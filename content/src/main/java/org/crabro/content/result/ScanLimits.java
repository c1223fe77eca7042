package org.crabro.content.result;

import java.time.Duration;

/**
 * The bounds of searches of one node.
 *
 * @param runningPerThread searches that run at a time for each thread that scans; more wait
 * @param suspended searches that have begun and wait for others, each with its memory
 * @param suspendedOfClient the same, of one client; others of this client begin only afterwards
 * @param waiting searches that wait, begun or not; more are answered as overload
 * @param waitingOfClient the same, of one client
 * @param quantum how long a search runs while others wait, before it is the next one's turn
 */
public record ScanLimits(
        int runningPerThread,
        int suspended,
        int suspendedOfClient,
        int waiting,
        int waitingOfClient,
        Duration quantum) {
    /** Twice as many as processors answer on threads of HTTP, and the rest on threads of ours. */
    private static final int RUNNING_PER_THREAD = 3;

    public static final ScanLimits DEFAULT =
            new ScanLimits(RUNNING_PER_THREAD, 64, 16, 1_000, 500, Duration.ofMillis(5));

    public ScanLimits {
        if (runningPerThread < 1
                || suspended < 1
                || suspendedOfClient < 1
                || waiting < 1
                || waitingOfClient < 1
                || quantum.isNegative()) {
            throw new IllegalArgumentException(
                    "%d searches run for each thread, %d and %d of a client are suspended, %d and %d of a client wait; each must be at least 1; quantum is %s, must not be negative"
                            .formatted(
                                    runningPerThread,
                                    suspended,
                                    suspendedOfClient,
                                    waiting,
                                    waitingOfClient,
                                    quantum));
        }
    }

    /** Returns how many searches run at a time with so many threads that scan. */
    public int running(int threads) {
        return runningPerThread * threads;
    }
}
