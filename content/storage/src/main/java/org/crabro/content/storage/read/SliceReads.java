package org.crabro.content.storage.read;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.Extents;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads of one pass over slices. Slices in memory continue at once. Others are requested up to
 * {@link ReadAhead#BYTES_AHEAD} ahead of the current slice, and waited for slice by slice. The
 * parts that decide whether rows may match are read first, and the rest only if they may. A query
 * that reads much waits for its {@link ReadTurns turn}.
 *
 * <p>Thread-safe, for the threads of a query. If no thread has begun to read a slice, the thread
 * that takes it reads it itself: a small group costs no change of threads. When a thread of a
 * {@link java.util.concurrent.ForkJoinPool} waits, the pool starts a replacement, so that the
 * processor continues with other slices and other queries.
 */
public final class SliceReads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceReads.class);

    private final Executor threads;
    private final ReadTurns.Turn turn;
    private final List<BlockSlice> slices;
    private final ReadPlan reads;
    // Guarded by this.
    private final @Nullable Loading[] loading;
    private final int[] sizes;
    private final Extents wanted = new Extents();
    private final LargeParts large;

    /** The chunks that are read, and those that decide whether they are. */
    private final ChunkSelection all;

    private final ChunkSelection deciding;
    private int next;
    private int taken;
    private long ahead;
    private boolean isClosed;

    /** Whether any slice was not in memory when it was requested. */
    private boolean isReading;

    /** Set when all slices are requested and none has to be read: there is no more work. */
    private volatile boolean isAllThere;

    SliceReads(Executor threads, ReadTurns.Turn turn, List<BlockSlice> slices, ReadPlan reads) {
        this.threads = threads;
        this.turn = turn;
        this.slices = slices;
        this.reads = reads;
        this.all = new ChunkSelection(reads.all());
        this.deciding = new ChunkSelection(reads.deciding());
        this.large = new LargeParts(slices, reads);
        this.loading = new Loading[slices.size()];
        this.sizes = new int[slices.size()];
    }

    /** Returns whether all slices are in memory, so that no wait is needed. */
    public boolean isAllThere() {
        return isAllThere;
    }

    /**
     * Waits until the parts of a slice that the pass reads are in memory. Each slice is taken once.
     *
     * @throws CorruptRunException if it cannot be read
     */
    public void take(int slice) {
        if (isAllThere) {
            return;
        }
        if (isToBeAsked(slice)) {
            turn.await(this::remaining);
        }
        Loading load = ask(slice);
        if (load != null) {
            // Reading it here is faster than waiting for another thread to start.
            load.run();
            load.await();
        }
    }

    /** States that a taken slice was processed. */
    public void finish(int slice) {
        Loading load = turn.isLarge() ? loading(slice) : null;
        if (load != null && load.slice == slice) {
            load.block.markCold();
        }
    }

    private synchronized @Nullable Loading loading(int slice) {
        return loading[slice];
    }

    private synchronized boolean isToBeAsked(int slice) {
        return next <= slice;
    }

    /** Returns the approximate number of missing bytes of slices that are not requested yet. */
    @SuppressWarnings("ReferenceEquality") // Slices of one block share the same object.
    private synchronized long remaining() {
        long bytes = 0;
        for (int i = next; i < slices.size(); i++) {
            EncodedBlock block = slices.get(i).block();
            if (i == 0 || slices.get(i - 1).block() != block) {
                bytes += Math.min(block.missing(), block.byteSize(reads.all()));
            }
        }
        return bytes;
    }

    private synchronized @Nullable Loading ask(int slice) {
        while (next <= slice || (next < sizes.length && mayAskAhead())) {
            askNext(slice);
        }
        if (next == sizes.length) {
            // The next query begins while the last slices are loaded.
            turn.end();
            isAllThere = !isReading;
        }
        ahead -= sizes[slice];
        taken++;
        return loading[slice];
    }

    /** Slices in memory do not count as requested. */
    private boolean mayAskAhead() {
        int most = ahead == 0 ? ReadAhead.FOUND_AHEAD : ReadAhead.SLICES_AHEAD;
        return ahead < ReadAhead.BYTES_AHEAD && next - taken < most && turn.mayRead();
    }

    @SuppressWarnings("ReferenceEquality") // Slices of one block share the same object.
    private void askNext(int taking) {
        int slice = next;
        next++;
        EncodedBlock block = slices.get(slice).block();
        if (!block.isOfFile() || isClosed) {
            return;
        }
        if (slice > 0 && slices.get(slice - 1).block() == block) {
            // Another slice of the same block.
            loading[slice] = loading[slice - 1];
            return;
        }
        BitSet chunks = all.of(block);
        if (block.wereFound(chunks) || !reads.isWanted(slice)) {
            return;
        }
        BitSet first = deciding.of(block);
        if (slice == taking && first.isEmpty() && slices.size() == 1) {
            // It is read at once, and that read checks which bytes are in memory.
            block.tell(chunks, wanted);
            take(slice, wanted.size());
            turn.spend(wanted.size());
            loading[slice] = new Loading(block, slice, first, chunks, List.of());
            isReading = true;
            return;
        }
        if (block.has(chunks, wanted)) {
            take(slice, wanted.size());
            return;
        }
        long size = wanted.size();
        if (!first.isEmpty() && block.has(first, wanted) && !mayMatch(slice)) {
            return;
        }
        take(slice, size);
        turn.spend(size);
        Loading load = newLoading(block, slice, first, chunks);
        loading[slice] = load;
        isReading = true;
        if (slice != taking && !load.isInLargeParts()) {
            execute(load);
        }
    }

    private Loading newLoading(EncodedBlock block, int slice, BitSet deciding, BitSet chunks) {
        if (!deciding.isEmpty()) {
            return new Loading(block, slice, deciding, chunks, List.of());
        }
        var made = new ArrayList<LargePart>();
        List<LargePart> parts = large.of(slice, block, made);
        made.forEach(this::execute);
        return new Loading(block, slice, deciding, chunks, parts);
    }

    private void execute(Runnable load) {
        try {
            threads.execute(load);
        } catch (RejectedExecutionException e) {
            // The node is stopping; running queries are still answered.
            load.run();
        }
    }

    private void take(int slice, long size) {
        sizes[slice] = Math.toIntExact(size);
        ahead += size;
    }

    private boolean mayMatch(int slice) {
        try {
            return reads.mayMatch(slice);
        } catch (CorruptRunException e) {
            // The thread that takes the slice gets the error when it reads it again.
            LOG.debug("a slice cannot be read", e);
            return true;
        }
    }

    /** Cancels reads that have not started, and returns when all others are finished. */
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
        large.end();
        turn.end();
    }

    /** The parts of a slice that are being loaded. */
    private final class Loading implements Runnable {
        private final EncodedBlock block;
        private final int slice;
        private final BitSet deciding;
        private final BitSet chunks;
        private final List<LargePart> parts;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();

        /**
         * @param deciding the chunks that decide whether the others are needed
         * @param parts the large parts that contain the block
         */
        Loading(
                EncodedBlock block,
                int slice,
                BitSet deciding,
                BitSet chunks,
                List<LargePart> parts) {
            this.block = block;
            this.slice = slice;
            this.deciding = deciding;
            this.chunks = chunks;
            this.parts = parts;
        }

        /** Returns whether all of the block is read with large parts. */
        boolean isInLargeParts() {
            return !parts.isEmpty()
                    && parts.getFirst().offset() <= block.fileOffset()
                    && parts.getLast().offset() + block.largeSize()
                            >= block.fileOffset() + block.byteSize();
        }

        @Override
        public void run() {
            if (begun.getAndSet(true)) {
                return;
            }
            try {
                load();
                done.complete(true);
            } catch (RuntimeException | Error e) {
                // For the waiting threads: exceptions of a pool thread are otherwise lost.
                done.completeExceptionally(e);
            }
        }

        private void load() {
            if (deciding.isEmpty()) {
                parts.forEach(LargePart::bring);
                block.load(chunks);
                return;
            }
            block.load(deciding);
            if (reads.mayMatch(slice)) {
                block.load(chunks);
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

        /** Waits for the reading threads: the mapping must stay valid until they finish. */
        void end() {
            if (begun.getAndSet(true)) {
                done.handle((_, _) -> true).join();
            }
        }
    }
}
