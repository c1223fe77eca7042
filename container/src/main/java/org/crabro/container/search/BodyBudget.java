package org.crabro.container.search;

import java.util.concurrent.Semaphore;

/**
 * How much memory the bodies of all queries under way may take together; counted in steps of {@link
 * #STEP_BYTES}, as the bytes come in, so that nobody has to announce a length.
 */
final class BodyBudget {
    static final int STEP_BYTES = 64 * 1024;

    private final Semaphore free;

    BodyBudget(long maxBytes) {
        this.free = new Semaphore(Math.toIntExact(maxBytes / STEP_BYTES));
    }

    /** What one query has taken; closing it gives everything back. For one thread. */
    final class Share implements AutoCloseable {
        private int steps;

        /**
         * Takes one step more.
         *
         * @throws IllegalQueryException if there is none
         */
        void take() {
            if (!free.tryAcquire()) {
                throw new IllegalQueryException(
                        ErrorCode.TOO_MANY_QUERIES,
                        "the bodies of queries under way take all the memory that there is for them");
            }
            steps++;
        }

        @Override
        public void close() {
            free.release(steps);
            steps = 0;
        }
    }

    Share share() {
        return new Share();
    }
}
