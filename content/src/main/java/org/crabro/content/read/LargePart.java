package org.crabro.content.read;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.block.EncodedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * As much of a file as one large page holds, on its way into memory. Blocks that lie in it wait for
 * it; what of it could not be read they find out themselves.
 */
final class LargePart implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LargePart.class);

    private final EncodedBlock block;
    private final long offset;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    /**
     * @param block knows the file
     * @param offset in the file
     */
    LargePart(EncodedBlock block, long offset) {
        this.block = block;
        this.offset = offset;
    }

    long offset() {
        return offset;
    }

    @Override
    public void run() {
        if (begun.getAndSet(true)) {
            return;
        }
        try {
            ForkJoinPool.managedBlock(new Load());
        } catch (InterruptedException e) {
            throw new IllegalStateException("loading does not wait interruptibly", e);
        } finally {
            done.complete(true);
        }
    }

    /** Returns when it was read, by this thread where none has begun. */
    void bring() {
        run();
        done.join();
    }

    /** Returns when nobody reads any more. */
    void end() {
        if (begun.getAndSet(true)) {
            done.join();
        }
    }

    /** The thread's pool gets another thread while it waits. */
    private final class Load implements ForkJoinPool.ManagedBlocker {
        private boolean isDone;

        @Override
        public boolean block() {
            isDone = true;
            try {
                block.loadLarge(offset);
            } catch (IOException e) {
                LOG.debug("a part of a file cannot be read at once", e);
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            return isDone;
        }
    }
}
