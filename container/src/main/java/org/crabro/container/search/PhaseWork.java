package org.crabro.container.search;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.crabro.protocol.wire.Deadline;

/**
 * Counts the work of a global phase. Every {@value #UNITS} units it looks at the clock and lets
 * other requests run: a virtual thread that computes keeps its processor until it waits or yields.
 * What fewer units compute is never stopped. For one thread.
 */
final class PhaseWork implements IntConsumer {
    private static final int UNITS = 1 << 17;

    /** How long a phase may take when time is up: hits that were found are returned then, too. */
    private static final Duration FINISH = Duration.ofMillis(200);

    private final Deadline deadline;
    private int left = UNITS;

    PhaseWork(Deadline deadline) {
        this.deadline = new Deadline(deadline.nanos() + FINISH.toNanos(), deadline.cancellation());
    }

    /** Time is up. Has no stack trace, since it is no error. */
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the global phase was stopped", null, false, false);
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Fairness is wanted, correctness does not need it.
    public void accept(int units) {
        left -= units;
        if (left < 0) {
            left = UNITS;
            if (deadline.hasPassed()) {
                throw new StoppedException();
            }
            Thread.yield();
        }
    }
}
