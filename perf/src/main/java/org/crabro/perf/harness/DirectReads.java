package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads that bypass the page cache, to measure the bandwidth of the disk. */
public final class DirectReads {
    private static final int ALIGNMENT = 4_096;
    private static final int PIECE = 1 << 20;

    private DirectReads() {}

    /** Returns the same pages in ranges of at most 1 MiB. */
    public static List<PageCache.Range> pieces(List<PageCache.Range> ranges) {
        var pieces = new ArrayList<PageCache.Range>();
        for (PageCache.Range range : ranges) {
            for (long at = 0; at < range.size(); at += PIECE) {
                long size = Math.min(PIECE, range.size() - at);
                pieces.add(new PageCache.Range(range.file(), range.offset() + at, size));
            }
        }
        return pieces;
    }

    /**
     * Reads pieces.
     *
     * @param depth how many at a time
     */
    public static void read(List<PageCache.Range> pieces, int depth) throws Exception {
        Clients.run(
                depth,
                depth,
                thread -> {
                    ByteBuffer into =
                            ByteBuffer.allocateDirect(PIECE + ALIGNMENT).alignedSlice(ALIGNMENT);
                    for (int i = thread; i < pieces.size(); i += depth) {
                        read(pieces.get(i), into);
                    }
                });
    }

    private static void read(PageCache.Range range, ByteBuffer into) throws IOException {
        try (var file = FileChannel.open(range.file(), StandardOpenOption.READ, direct())) {
            into.clear().limit((int) range.size());
            file.read(into, range.offset());
        }
    }

    /** Of the JDK, but not of its documented part. */
    private static OpenOption direct() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            return Arrays.stream(options)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
