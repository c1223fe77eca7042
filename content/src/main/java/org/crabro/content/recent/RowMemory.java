package org.crabro.content.recent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.crabro.content.journal.SystemMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory for rows in pieces, two in each page, that are used again: to get pages from the system,
 * and filled with zeros, costs about as much as to copy rows into them. Some pages that nobody uses
 * are kept; those that were not needed for some time are let go of.
 */
final class RowMemory implements AutoCloseable {
    /** How long a piece is. */
    static final int PIECE_SIZE = SystemMemory.SIZE / 2;

    private final int keptMax;

    // Guarded by this.
    private final Deque<Page> unused = new ArrayDeque<>();

    /** Of pages whose other piece is in use. */
    private final Deque<Piece> halves = new ArrayDeque<>();

    /** The fewest unused pages that there were since somebody last looked. */
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
     * @param keptBytes how much is kept at most that nobody uses
     */
    RowMemory(long keptBytes) {
        this.keptMax = Math.toIntExact(keptBytes / SystemMemory.SIZE);
    }

    /**
     * Returns a piece that is used until {@code arena} is closed, with any bytes in it; nothing
     * where the system gives none.
     */
    @SuppressWarnings("restricted")
    Optional<MemorySegment> take(Arena arena) {
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
        // In most pages the other piece is in use: few have to be looked through.
        if (!halves.remove(piece.page.other(piece))) {
            halves.add(piece);
        } else if (isClosed || unused.size() == keptMax) {
            SystemMemory.free(piece.page.memory);
        } else {
            unused.push(piece.page);
        }
    }

    /** Lets go of the pages that nobody needed since this was called last. */
    synchronized void trim() {
        for (int i = 0; i < leastUnused; i++) {
            SystemMemory.free(unused.removeLast().memory);
        }
        leastUnused = unused.size();
    }

    /** Returns the bytes of pages that nobody uses. */
    synchronized long unusedBytes() {
        return (long) unused.size() * SystemMemory.SIZE;
    }

    /** Keeps no page from now on; pieces that are in use stay so. */
    @Override
    public synchronized void close() {
        isClosed = true;
        unused.forEach(page -> SystemMemory.free(page.memory));
        unused.clear();
        leastUnused = 0;
    }
}
