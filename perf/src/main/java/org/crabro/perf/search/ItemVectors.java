package org.crabro.perf.search;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.IntFunction;
import org.crabro.tensor.CellType;

/**
 * The vectors of items, and those of queries after them. Cells have values of bfloat16.
 *
 * @param count of items
 * @param cells of each vector
 * @param vectors by number; those from {@code count} on are of queries
 */
record ItemVectors(int count, int cells, IntFunction<float[]> vectors) {
    private static final int CLUSTER = 500;
    private static final ValueLayout.OfFloat CELL =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Returns vectors near the centers of random clusters. */
    static ItemVectors generated(int count, int cells) {
        return new ItemVectors(count, cells, number -> generated(number, count, cells));
    }

    private static float[] generated(int number, int count, int cells) {
        var random = new Random(number * 0x9e3779b97f4a7c15L);
        int clusters = Math.max(1, count / CLUSTER);
        var center = new Random(1_000_003L * random.nextInt(clusters));
        float[] vector = new float[cells];
        for (int i = 0; i < cells; i++) {
            vector[i] = narrow(center.nextGaussian() + 0.7 * random.nextGaussian());
        }
        return vector;
    }

    /**
     * Returns the vectors of the files that {@code perf/peers/vectors.py} writes. They stay mapped
     * until the process ends.
     *
     * @throws IOException if they cannot be read
     */
    static ItemVectors in(Path directory, int cells) throws IOException {
        MemorySegment items = mapped(directory.resolve("base.f32"));
        MemorySegment queries = mapped(directory.resolve("queries.f32"));
        long bytes = (long) cells * Float.BYTES;
        int count = Math.toIntExact(items.byteSize() / bytes);
        return new ItemVectors(
                count,
                cells,
                number -> {
                    float[] vector = new float[cells];
                    MemorySegment from = number < count ? items : queries;
                    long offset = bytes * (number < count ? number : number - count);
                    for (int i = 0; i < cells; i++) {
                        vector[i] = narrow(from.get(CELL, offset + (long) i * Float.BYTES));
                    }
                    return vector;
                });
    }

    private static MemorySegment mapped(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global());
        }
    }

    private static float narrow(double cell) {
        return (float) CellType.BFLOAT16.narrow(cell);
    }

    float[] vector(int number) {
        return vectors.apply(number);
    }

    float[] query(int number) {
        return vectors.apply(count + number);
    }
}
