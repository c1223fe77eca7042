package org.crabro.container.route;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.protocol.wire.Deadline;

/**
 * Orders the writes of documents that have several copies: two writes of one document reach all
 * copies in the same order.
 *
 * <p>A lock serves many documents. A thread acquires the locks of several documents in the order of
 * their numbers, so that no two threads wait for each other.
 */
public final class CopyLocks {
    /** Bounds the memory; with more documents in progress, some wait for others. */
    private static final int LOCKS = 4096;

    private final List<ReentrantLock> locks =
            IntStream.range(0, LOCKS).mapToObj(_ -> new ReentrantLock()).toList();

    /**
     * Runs {@code write} while no other write of these documents runs.
     *
     * @param idHashes of the documents
     * @return empty if the deadline passed before
     */
    <T> Optional<T> locked(IntStream idHashes, Deadline deadline, Supplier<T> write) {
        int[] needed = idHashes.map(CopyLocks::index).sorted().distinct().toArray();
        int held = 0;
        try {
            while (held < needed.length) {
                if (!acquire(locks.get(needed[held]), deadline)) {
                    return Optional.empty();
                }
                held++;
            }
            return Optional.of(write.get());
        } finally {
            for (int i = 0; i < held; i++) {
                locks.get(needed[i]).unlock();
            }
        }
    }

    private static boolean acquire(ReentrantLock lock, Deadline deadline) {
        try {
            return lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Mixes the bits, because the low ones of similar ids differ little. */
    private static int index(int idHash) {
        return (idHash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(LOCKS));
    }
}
