package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ChunkSelection;

/**
 * Divides the work of a query so that all threads end at about the same time. Few large slices are
 * cut into parts, many small slices are combined into portions. Results do not depend on it.
 */
final class Portions {
    /**
     * The least bytes of a part: smaller parts take another thread longer to start than to scan.
     */
    private static final long LEAST_PART = 128 << 10;

    /** With this many parts per thread, threads wait little for each other at the end. */
    private static final int PARTS_PER_THREAD = 4;

    /** From this many slices per thread on, a thread takes several small slices at a time. */
    private static final int MANY_PER_THREAD = 64;

    /** The approximate bytes of a portion of small slices. */
    private static final long PORTION = 64 << 10;

    private Portions() {}

    /** Returns the approximate bytes of {@code parts} in each slice. */
    static long[] sizes(List<BlockSlice> slices, BlockProjection parts) {
        var sizes = new long[slices.size()];
        var chunks = new ChunkSelection(parts);
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = size(slices.get(i), chunks);
        }
        return sizes;
    }

    /** Returns whether {@code parts} of all slices together have at most {@code bytes} bytes. */
    static boolean areWithin(long bytes, List<BlockSlice> slices, BlockProjection parts) {
        var chunks = new ChunkSelection(parts);
        long left = bytes;
        for (int i = 0; i < slices.size() && left >= 0; i++) {
            left -= size(slices.get(i), chunks);
        }
        return left >= 0;
    }

    private static long size(BlockSlice slice, ChunkSelection chunks) {
        EncodedBlock block = slice.block();
        return chunks.byteSize(block) * (slice.to() - slice.from()) / block.rowCount();
    }

    /** Returns the sum of the bytes of all slices. */
    private static long bytes(long[] sizes) {
        return LongStream.of(sizes).sum();
    }

    /** Returns how many threads make the work faster, at most {@code share}. */
    static int threads(long[] sizes, int share) {
        long halves = (sizes.length + 1L) / 2;
        return Math.clamp(
                Math.max(halves, bytes(sizes) / (PARTS_PER_THREAD * LEAST_PART)), 1, share);
    }

    /**
     * Returns the slices, with large ones cut into parts if there are too few slices for an even
     * division among {@code threads} threads.
     */
    static List<BlockSlice> cut(List<BlockSlice> slices, long[] sizes, int threads) {
        int parts = threads * PARTS_PER_THREAD;
        if (threads == 1 || slices.size() >= parts) {
            return slices;
        }
        long part = Math.max(LEAST_PART, bytes(sizes) / parts);
        var all = new ArrayList<BlockSlice>();
        for (int i = 0; i < sizes.length; i++) {
            cut(slices.get(i), (int) Math.max(1, (sizes[i] + part / 2) / part), all);
        }
        return all;
    }

    private static void cut(BlockSlice slice, int parts, List<BlockSlice> into) {
        int rows = slice.to() - slice.from();
        int from = slice.from();
        for (int i = 1; i <= parts; i++) {
            int to = slice.from() + (int) ((long) rows * i / parts);
            if (from < to) {
                into.add(slice.part(from, to));
            }
            from = to;
        }
    }

    /** Returns the first slice of each portion, and the end of the last portion. */
    static int[] of(long[] sizes, int threads) {
        if (sizes.length < threads * MANY_PER_THREAD) {
            var each = new int[sizes.length + 1];
            for (int i = 0; i < each.length; i++) {
                each[i] = i;
            }
            return each;
        }
        IntStream.Builder starts = IntStream.builder();
        long size = 0;
        for (int i = 0; i < sizes.length; i++) {
            if (i == 0 || size + sizes[i] > PORTION) {
                starts.add(i);
                size = 0;
            }
            size += sizes[i];
        }
        return starts.add(sizes.length).build().toArray();
    }
}
