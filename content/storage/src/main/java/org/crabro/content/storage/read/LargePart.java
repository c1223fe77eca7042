package org.crabro.content.storage.read;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.storage.block.EncodedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a file that one large page holds, while it is loaded. Blocks in it wait for it. If
 * some bytes cannot be read, the blocks find the error themselves.
 */
final class LargePart implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LargePart.class);

    private final EncodedBlock block;
    private final long offset;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    /**
     * @param block a block of the file
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

    /** Loads the part on this thread if no thread has started, and returns when it is loaded. */
    void bring() {
        run();
        done.join();
    }

    /** Returns when no thread reads the part any more. */
    void end() {
        if (begun.getAndSet(true)) {
            done.join();
        }
    }

    /** While a thread waits, its pool starts another thread. */
    private final class Load implements ForkJoinPool.ManagedBlocker {
        private boolean isDone;

        @Override
        public boolean block() {
            isDone = true;
            try {
                block.loadLarge(offset);
            } catch (IOException e) {
                LOG.debug("a large part of a file cannot be read", e);
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            return isDone;
        }
    }
}
