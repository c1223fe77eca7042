package org.crabro.content.storage.memtable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * Encoded rows in native memory, in the order in which they were added. One thread adds, any number
 * of threads read rows below an {@link #end} that they have read.
 *
 * <pre>
 *   0          4          8        12
 *   +----------+----------+--------+-----+---------+
 *   | previous | replaced | length | row | padding |
 *   +----------+----------+--------+-----+---------+
 * </pre>
 *
 * <p>The address of a row is the number of its chunk and its offset in the chunk in units of
 * {@value #UNIT} bytes. Addresses rise as rows are added, and none is 0. {@code previous} is the
 * row of the same group that was added before. {@code replaced} is the row that replaced this one:
 * one of these rows or, if the highest bit is set, a row of the next table. Group tombstones are
 * never replaced; there, {@code replaced} is the previous tombstone of the group.
 *
 * <p>Chunks grow from {@value #CHUNK_BYTES_MIN} bytes to {@value #CHUNK_BYTES_MAX}; a row that is
 * larger has its own chunk.
 */
public final class RecentRows {
    /**
     * The memory of a row in addition to its bytes and the padding to a multiple of {@link #UNIT}.
     */
    public static final int HEADER = 12;

    public static final int CHUNK_BYTES_MIN = 4 << 10;
    public static final int CHUNK_BYTES_MAX = RowMemory.PIECE_SIZE;

    /** Above this size of all chunks, the addresses may be exhausted. */
    public static final long BYTES_MAX = 4L << 30;

    private static final int UNIT = 8;
    private static final int CACHE_LINE = 64;

    /** The processor prefetches the rest of longer rows itself. */
    private static final int PEEKED_MAX = 4 << 10;

    private static final int CHUNK_SHIFT = 17;
    private static final int CHUNKS_MAX = 1 << 14;
    private static final int OFFSET_MASK = (1 << CHUNK_SHIFT) - 1;
    private static final int PREVIOUS = 0;
    private static final int REPLACED = 4;
    private static final int LENGTH = 8;
    private static final int BY_YOUNGER = Integer.MIN_VALUE;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private final Arena memory;
    private final RowMemory pieces;

    // Written by one thread as one reference; existing entries never change.
    private volatile MemorySegment[] chunks = new MemorySegment[4];
    private int chunkCount;
    private MemorySegment chunk = MemorySegment.NULL;
    private long used;
    private long allocated;

    /**
     * @param memory of all chunks
     * @param pieces allocates chunks of the usual size
     */
    public RecentRows(Arena memory, RowMemory pieces) {
        this.memory = memory;
        this.pieces = pieces;
    }

    /**
     * Appends a row. Only for the writing thread.
     *
     * @param previous the row before it in its group, 0 for none
     * @return its address
     */
    public int add(byte[] row, int previous) {
        long size = size(row.length);
        if (used + size > chunk.byteSize()) {
            addChunk(size);
        }
        int address = next();
        chunk.set(INT, used + PREVIOUS, previous);
        chunk.set(INT, used + REPLACED, 0);
        chunk.set(INT, used + LENGTH, row.length);
        MemorySegment.copy(row, 0, chunk, ValueLayout.JAVA_BYTE, used + HEADER, row.length);
        used += size;
        return address;
    }

    private void addChunk(long size) {
        if (chunkCount == CHUNKS_MAX) {
            throw new IllegalStateException("%d chunks are full".formatted(CHUNKS_MAX));
        }
        // The first chunk does not begin with a row, so that no address is 0.
        long begin = chunkCount == 0 ? UNIT : 0;
        long wanted = Math.clamp(allocated / 2 & -UNIT, CHUNK_BYTES_MIN, CHUNK_BYTES_MAX);
        MemorySegment made = allocate(Math.max(wanted, begin + size));
        if (used + HEADER <= chunk.byteSize()) {
            // A length of 0 marks the end of the chunk for iterations.
            chunk.set(INT, used + LENGTH, 0);
        }
        MemorySegment[] all = chunks;
        if (chunkCount == all.length) {
            all = Arrays.copyOf(all, 2 * chunkCount);
        }
        all[chunkCount] = made;
        chunks = all;
        chunkCount++;
        chunk = made;
        used = begin;
        allocated += made.byteSize();
    }

    /** Returns uninitialised memory. */
    private MemorySegment allocate(long bytes) {
        if (bytes == CHUNK_BYTES_MAX) {
            Optional<MemorySegment> piece = pieces.take(memory);
            if (piece.isPresent()) {
                return piece.get();
            }
        }
        return memory.allocate(bytes, UNIT);
    }

    /** Returns the address after the last row; the next row's address is not below it. */
    public int end() {
        return chunkCount == 0 ? 0 : next();
    }

    private int next() {
        return ((chunkCount - 1) << CHUNK_SHIFT) + (int) Math.min(used / UNIT, OFFSET_MASK + 1L);
    }

    /** Returns the native memory allocated for rows, in bytes. */
    public long allocated() {
        return allocated;
    }

    private static long size(int length) {
        return (HEADER + (long) length + UNIT - 1) & -UNIT;
    }

    private MemorySegment chunk(int address) {
        return chunks[address >>> CHUNK_SHIFT];
    }

    private static long offset(int address) {
        return (long) (address & OFFSET_MASK) * UNIT;
    }

    /** Returns the bytes of a row, without a copy. */
    public MemorySegment row(int address) {
        long offset = offset(address);
        MemorySegment in = chunk(address);
        return in.asSlice(offset + HEADER, in.get(INT, offset + LENGTH));
    }

    /** Reads a row's length, to prefetch the start of the row into the processor's cache. */
    public int peek(int address) {
        long offset = offset(address);
        return chunk(address).get(INT, offset + LENGTH);
    }

    /** Reads bytes around a row's id, to prefetch them into the processor's cache. */
    public int peekId(int address) {
        MemorySegment in = chunk(address);
        // In most cases the id is in two cache lines.
        long second = Math.min(offset(address) + CACHE_LINE, in.byteSize() - 1);
        return peek(address) + in.get(ValueLayout.JAVA_BYTE, second);
    }

    /**
     * Reads one byte per cache line of a row, to prefetch the row into the processor's cache.
     *
     * @param length of the row; only the beginning of a long row is read
     */
    public int peek(int address, int length) {
        MemorySegment in = chunk(address);
        long end = offset(address) + HEADER + Math.min(length, PEEKED_MAX);
        int sum = 0;
        for (long at = offset(address) + CACHE_LINE; at < end; at += CACHE_LINE) {
            sum += in.get(ValueLayout.JAVA_BYTE, at);
        }
        return sum;
    }

    /** Returns the row of the same group that was added before, 0 for none. */
    public int previous(int address) {
        return chunk(address).get(INT, offset(address) + PREVIOUS);
    }

    /**
     * Returns the first row at or after {@code address} and below {@code end}, or {@code end}.
     *
     * @param address 0, or the address after a row
     */
    public int firstFrom(int address, int end) {
        int at = address == 0 ? 1 : address;
        while (at < end) {
            MemorySegment in = chunk(at);
            long offset = offset(at);
            // After the last row of a chunk, less than a header is left, or a header with length 0.
            if (offset + HEADER <= in.byteSize() && in.get(INT, offset + LENGTH) != 0) {
                return at;
            }
            at = ((at >>> CHUNK_SHIFT) + 1) << CHUNK_SHIFT;
        }
        return end;
    }

    /** Returns the address after a row. */
    public int behind(int address) {
        long units = size(chunk(address).get(INT, offset(address) + LENGTH)) / UNIT;
        int nextChunk = ((address >>> CHUNK_SHIFT) + 1) << CHUNK_SHIFT;
        return (int) Math.min(address + units, nextChunk);
    }

    /**
     * Returns whether no later row of this table replaces a row. The row is not a group tombstone.
     */
    public boolean isNewest(int address) {
        return chunk(address).get(INT, offset(address) + REPLACED) <= 0;
    }

    /** Records that the next added row replaces a row. Only for the writing thread. */
    public void replace(int address, int by) {
        chunk(address).set(INT, offset(address) + REPLACED, by);
    }

    /** Records that a row of the next table replaces a row. */
    public void replaceByYounger(int address, int by) {
        chunk(address).set(INT, offset(address) + REPLACED, by | BY_YOUNGER);
    }

    /** Records the previous tombstone of a group in its next one. Only for the writing thread. */
    public void setTombstoneBefore(int tombstone, int before) {
        chunk(tombstone).set(INT, offset(tombstone) + REPLACED, before);
    }

    /** Returns the previous tombstone of the group of a group tombstone, 0 for none. */
    public int tombstoneBefore(int tombstone) {
        return chunk(tombstone).get(INT, offset(tombstone) + REPLACED);
    }

    /**
     * Returns whether a row is replaced at a moment.
     *
     * @param end the end of these rows at the moment
     * @param youngerEnd the end of the rows of the next table, 0 for none
     */
    public boolean isReplaced(int address, int end, int youngerEnd) {
        int by = chunk(address).get(INT, offset(address) + REPLACED);
        return by < 0 ? (by & ~BY_YOUNGER) < youngerEnd : by != 0 && by < end;
    }
}
