package org.crabro.container.search;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.crabro.protocol.wire.Deadline;

/**
 * Counts the work of a global phase. After every {@value #UNITS} units it reads the clock and
 * yields, because a virtual thread keeps its carrier thread until it waits or yields. A computation
 * of fewer units is never stopped. For one thread.
 */
final class PhaseWork implements IntConsumer {
    private static final int UNITS = 1 << 17;

    /**
     * The time that a phase may take after the deadline, because its hits are then still returned.
     */
    private static final Duration FINISH = Duration.ofMillis(200);

    private final Deadline deadline;
    private int left = UNITS;

    PhaseWork(Deadline deadline) {
        this.deadline = new Deadline(deadline.nanos() + FINISH.toNanos(), deadline.cancellation());
    }

    /** The time is up. Has no stack trace, because it is no error. */
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
