package org.crabro.content.run;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a block come from: for errors, for what of them was checked since they were
 * mapped, and for bringing them into memory before they are touched. Parts are numbered: 0 the
 * header, {@code 1 + i} the chunk of directory entry {@code i}.
 */
final class BlockOrigin {
    private static final byte[] NOTHING = new byte[0];

    /** What {@link #present} has bits for; later chunks are asked about each time. */
    private static final int CHUNKS_NOTED = Long.SIZE;

    private final @Nullable RunBytes run;
    private final long offset;
    private final byte[] checked;
    private final int first;
    private final QueryReads reads;
    // The chunks that were brought into memory for whoever holds this. Threads may write it at
    // once:
    // what is lost is a question asked twice.
    private long present;

    private BlockOrigin(
            @Nullable RunBytes run, long offset, byte[] checked, int first, QueryReads reads) {
        this.run = run;
        this.offset = offset;
        this.checked = checked;
        this.first = first;
        this.reads = reads;
    }

    /** Bytes that this process wrote into memory: nothing is to be checked. */
    static BlockOrigin memory() {
        return new BlockOrigin(null, 0, NOTHING, 0, new QueryReads());
    }

    /**
     * Bytes of a file.
     *
     * @param offset of the block in the file
     * @param checked a byte per part of all the file's blocks, not 0 where it was checked. Threads
     *     may write it at once: what is lost is a check done twice
     * @param first the index in {@code checked} of part 0
     * @param reads is told what comes from the device
     */
    static BlockOrigin file(
            RunBytes run, long offset, byte[] checked, int first, QueryReads reads) {
        return new BlockOrigin(run, offset, checked, first, reads);
    }

    /** Returns the same for another reader, to whom nothing was brought yet. */
    BlockOrigin forOthers() {
        return new BlockOrigin(run, offset, checked, first, reads);
    }

    /** Returns how many parts a block of a type with {@code fields} has at most. */
    static int parts(int fields) {
        return 1 + chunksMax(fields);
    }

    /** Returns how many chunks a block of a type with {@code fields} has at most. */
    static int chunksMax(int fields) {
        return 4 + ChunkEncoding.PER_FIELD_MAX * fields;
    }

    /** Returns whether the bytes come from a file. */
    boolean isFile() {
        return run != null;
    }

    long offset() {
        return offset;
    }

    boolean isChecked(int part) {
        return checked.length == 0 || checked[first + part] != 0;
    }

    void setChecked(int part) {
        checked[first + part] = 1;
    }

    /** Returns when all that {@code extents} tell of a chunk is in memory. */
    void require(BlockExtents extents, int chunk) {
        if (!isPresent(chunk)) {
            var one = new BitSet();
            one.set(chunk);
            require(extents, one);
        }
    }

    /**
     * Returns when all that {@code extents} tell of {@code chunks} is in memory.
     *
     * @throws CorruptRunException if it cannot be read
     */
    void require(BlockExtents extents, BitSet chunks) {
        if (run == null) {
            return;
        }
        var wanted = new Extents();
        for (int step = 0; step < steps(extents); step++) {
            add(extents, chunks, step, wanted);
            run.load(wanted, reads);
        }
        setPresent(chunks);
    }

    /**
     * Returns whether all that {@code extents} tell of {@code chunks} is in memory, without
     * waiting.
     *
     * @param wanted receives what is told at first
     */
    boolean has(BlockExtents extents, BitSet chunks, Extents wanted) {
        if (run == null) {
            return true;
        }
        add(extents, chunks, 0, wanted);
        if (run.missing(wanted) > 0) {
            return false;
        }
        var more = new Extents();
        for (int step = 1; step < steps(extents); step++) {
            add(extents, chunks, step, more);
            if (run.missing(more) > 0) {
                return false;
            }
        }
        setPresent(chunks);
        return true;
    }

    private static int steps(BlockExtents extents) {
        return extents.isWhole() ? 1 : BlockExtents.STEPS;
    }

    private static void add(BlockExtents extents, BitSet chunks, int step, Extents into) {
        into.clear();
        for (int chunk = chunks.nextSetBit(0); chunk >= 0; chunk = chunks.nextSetBit(chunk + 1)) {
            extents.add(chunk, step, into);
        }
        into.join();
    }

    private boolean isPresent(int chunk) {
        return run == null || (chunk < CHUNKS_NOTED && ((present >>> chunk) & 1) != 0);
    }

    private void setPresent(BitSet chunks) {
        long noted = chunks.isEmpty() ? 0 : chunks.toLongArray()[0];
        present |= noted;
    }

    /** Returns when {@code extents} are in memory. */
    void load(Extents extents) {
        if (run != null) {
            run.load(extents, reads);
        }
    }

    CorruptRunException corrupt(long offsetInBlock, String expected, String found) {
        String file = run == null ? "block in memory" : run.file();
        return new CorruptRunException(file, offset + offsetInBlock, expected, found);
    }
}
