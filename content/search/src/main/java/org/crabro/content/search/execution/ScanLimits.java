package org.crabro.content.search.execution;

import java.time.Duration;

/**
 * The limits of concurrent searches on one node.
 *
 * @param runningPerThread how many searches run at a time per scan thread; more searches wait
 * @param suspended how many searches may have begun and wait for others; each holds memory
 * @param suspendedOfClient the same of one client; its other searches begin later
 * @param waiting how many searches may wait, begun or not; more are rejected as overload
 * @param waitingOfClient the same of one client
 * @param quantum how long a search runs while others wait, before another one runs
 */
public record ScanLimits(
        int runningPerThread,
        int suspended,
        int suspendedOfClient,
        int waiting,
        int waitingOfClient,
        Duration quantum) {
    /** Two searches per processor run on HTTP threads, one on a scan thread. */
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

    /** Returns how many searches run at a time with {@code threads} scan threads. */
    public int running(int threads) {
        return runningPerThread * threads;
    }
}
