package org.crabro.content.storage.memtable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.crabro.content.storage.os.SystemMemory;
import org.jspecify.annotations.Nullable;

/**
 * Reusable memory for rows in pieces, two per page. Allocating a page from the system and filling
 * it with zeros costs about as much as copying rows into it. Some unused pages are kept; pages that
 * were not needed for some time are freed.
 */
public final class RowMemory implements AutoCloseable {
    /** The size of a piece, in bytes. */
    public static final int PIECE_SIZE = SystemMemory.SIZE / 2;

    private final int pooledMax;

    // Guarded by this.
    private final Deque<Page> unused = new ArrayDeque<>();

    /** Free pieces whose page's other piece is in use. */
    private final Deque<Piece> halves = new ArrayDeque<>();

    /** The minimum number of unused pages since the last {@link #trim}. */
    private int leastUnused;

    private boolean isClosed;

    /** Two pieces. */
    private static final class Page {
        private final MemorySegment memory;
        private final Piece first;
        private final Piece second;

        Page(MemorySegment memory) {
            this.memory = memory;
            this.first = new Piece(this, memory.asSlice(0, PIECE_SIZE));
            this.second = new Piece(this, memory.asSlice(PIECE_SIZE, PIECE_SIZE));
        }

        Piece other(Piece piece) {
            return piece == first ? second : first;
        }
    }

    private static final class Piece {
        private final Page page;
        private final MemorySegment bytes;

        Piece(Page page, MemorySegment bytes) {
            this.page = page;
            this.bytes = bytes;
        }
    }

    /**
     * @param pooledBytes the most bytes of unused pages that are kept
     */
    public RowMemory(long pooledBytes) {
        this.pooledMax = Math.toIntExact(pooledBytes / SystemMemory.SIZE);
    }

    /**
     * Returns an uninitialised piece that is in use until {@code arena} is closed; empty if the
     * system cannot allocate one.
     */
    @SuppressWarnings("restricted")
    public Optional<MemorySegment> take(Arena arena) {
        Piece piece = next();
        return piece == null
                ? Optional.empty()
                : Optional.of(piece.bytes.reinterpret(arena, _ -> giveBack(piece)));
    }

    private synchronized @Nullable Piece next() {
        Piece half = halves.poll();
        if (half != null) {
            return half;
        }
        Page page = unused.poll();
        leastUnused = Math.min(leastUnused, unused.size());
        if (page == null) {
            Optional<MemorySegment> memory = SystemMemory.allocate();
            if (memory.isEmpty()) {
                return null;
            }
            page = new Page(memory.get());
        }
        halves.add(page.second);
        return page.first;
    }

    private synchronized void giveBack(Piece piece) {
        // In most pages the other piece is in use, so {@code halves} is short.
        if (!halves.remove(piece.page.other(piece))) {
            halves.add(piece);
        } else if (isClosed || unused.size() == pooledMax) {
            SystemMemory.free(piece.page.memory);
        } else {
            unused.push(piece.page);
        }
    }

    /** Frees the pages that were not needed since the last call. */
    public synchronized void trim() {
        for (int i = 0; i < leastUnused; i++) {
            SystemMemory.free(unused.removeLast().memory);
        }
        leastUnused = unused.size();
    }

    /** Returns the bytes of unused pages. */
    synchronized long unusedBytes() {
        return (long) unused.size() * SystemMemory.SIZE;
    }

    /** Keeps no pages from now on; pieces in use stay valid. */
    @Override
    public synchronized void close() {
        isClosed = true;
        unused.forEach(page -> SystemMemory.free(page.memory));
        unused.clear();
        leastUnused = 0;
    }
}
