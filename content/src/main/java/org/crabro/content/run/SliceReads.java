package org.crabro.content.run;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one pass over slices. What is in memory already is gone on with at once; what is not
 * is asked for up to {@link ReadAhead#BYTES_AHEAD} ahead of the slices that are taken, and waited
 * for slice by slice.
 *
 * <p>Safe for use by the threads of a query. A thread of a {@link
 * java.util.concurrent.ForkJoinPool} that waits is stood in for by another one, so that its
 * processor goes on with other slices and other queries.
 */
public final class SliceReads implements AutoCloseable {
    private final Executor threads;
    private final List<BlockSlice> slices;
    private final PassParts parts;
    private final IntPredicate isWanted;
    // Guarded by this.
    private final @Nullable Loading[] loading;
    private final int[] sizes;
    private final Extents wanted = new Extents();
    private int next;
    private int taken;
    private long ahead;
    private boolean isClosed;

    SliceReads(Executor threads, List<BlockSlice> slices, PassParts parts, IntPredicate isWanted) {
        this.threads = threads;
        this.slices = slices;
        this.parts = parts;
        this.isWanted = isWanted;
        this.loading = new Loading[slices.size()];
        this.sizes = new int[slices.size()];
    }

    /**
     * Returns when what the pass touches of a slice is in memory. Each slice is taken once.
     *
     * @throws CorruptRunException if it cannot be read
     */
    public void take(int slice) {
        Loading load = ask(slice);
        if (load != null) {
            load.await();
        }
    }

    private synchronized @Nullable Loading ask(int slice) {
        while (next <= slice
                || (next < sizes.length
                        && ahead < ReadAhead.BYTES_AHEAD
                        && next - taken < ReadAhead.SLICES_AHEAD)) {
            askNext();
        }
        ahead -= sizes[slice];
        taken++;
        return loading[slice];
    }

    @SuppressWarnings("ReferenceEquality") // Parts of one block hold the same object.
    private void askNext() {
        int slice = next;
        next++;
        if (!(slices.get(slice).block() instanceof EncodedBlock block) || isClosed) {
            return;
        }
        if (slice > 0 && slices.get(slice - 1).block() == block) {
            // Another part of the same rows.
            loading[slice] = loading[slice - 1];
            return;
        }
        BitSet chunks = block.chunksOf(parts);
        if (chunks.isEmpty() || !isWanted.test(slice)) {
            return;
        }
        wanted.clear();
        boolean isThere = block.has(chunks, wanted);
        sizes[slice] = Math.toIntExact(wanted.size());
        ahead += sizes[slice];
        if (!isThere) {
            var load = new Loading(block, chunks);
            loading[slice] = load;
            try {
                threads.execute(load);
            } catch (RejectedExecutionException e) {
                // The node is being stopped; queries under way are still answered.
                load.run();
            }
        }
    }

    /** Returns when nothing is read any more. What was not begun is not read. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        for (Loading load : loading) {
            if (load != null) {
                load.end();
            }
        }
    }

    /** What a slice needs, on its way into memory. */
    private static final class Loading implements Runnable {
        private final EncodedBlock block;
        private final BitSet chunks;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();

        Loading(EncodedBlock block, BitSet chunks) {
            this.block = block;
            this.chunks = chunks;
        }

        @Override
        public void run() {
            if (begun.getAndSet(true)) {
                return;
            }
            try {
                block.load(chunks);
                done.complete(true);
            } catch (RuntimeException | Error e) {
                // For those who wait: nobody looks at what a thread of the pool throws.
                done.completeExceptionally(e);
            }
        }

        void await() {
            try {
                done.join();
            } catch (CompletionException e) {
                switch (e.getCause()) {
                    case RuntimeException cause -> throw cause;
                    case Error cause -> throw cause;
                    case null, default -> throw e;
                }
            }
        }

        /** The mapping must not go away under a thread that reads. */
        void end() {
            if (begun.getAndSet(true)) {
                done.handle((_, _) -> true).join();
            }
        }
    }
}
