package org.crabro.server;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs uncaught errors of threads, and stores the first error of the virtual machine, such as an
 * {@link OutOfMemoryError} for native memory: only a restart repairs that.
 */
final class UncaughtErrors implements Thread.UncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UncaughtErrors.class);

    private volatile @Nullable Throwable first;

    @Override
    public void uncaughtException(Thread thread, Throwable e) {
        // Without memory, each step may fail: the first one allocates nothing.
        if (e instanceof VirtualMachineError
                && !(e instanceof StackOverflowError)
                && first == null) {
            first = e;
        }
        LOG.error("The thread {} ended", thread.getName(), e);
    }

    /** Returns the first error; empty if there was none. */
    Optional<String> failure() {
        return Optional.ofNullable(first).map(e -> "a thread ended: " + e.getClass().getName());
    }
}
