package org.crabro.perf.compare;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.perf.harness.ChildJvm;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.MemoryRead;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Scans columns of one cell type in mapped files with each metric, and int8 columns also with
 * Lucene's kernels, in a process of its own. Passes of the compared variants take turns, so that
 * other load on the machine affects all alike. A pass is measured by the processor time of its
 * thread.
 */
final class CellScans {
    /** Cells of a vector. */
    static final int CELLS = 384;

    /** Rows that are compared by one call: those of a full block. */
    private static final int BLOCK = BlockLayout.ROWS_MAX;

    /** Sizes in bytes that fit caches, fit in part, and exceed them. */
    private static final long[] SIZES = {7_680_000, 76_800_000, 307_200_000};

    /** The largest size for Lucene, whose arrays have to fit on the heap. */
    private static final long MOST_ON_HEAP = 76_800_000;

    private static final long WARMING_NANOS = 200_000_000;
    private static final long MEASURED_NANOS = 750_000_000;
    private static final int LEAST = 12;

    /** The lower quartile of passes counts. */
    private static final int QUARTER = 4;

    /** Cells repeat after this many bytes, which is a multiple of the row size of all types. */
    private static final int BLOCK_BYTES = 768_000;

    private static final List<DistanceMetric> METRICS =
            List.of(
                    DistanceMetric.DOTPRODUCT,
                    DistanceMetric.ANGULAR,
                    DistanceMetric.EUCLIDEAN,
                    DistanceMetric.HAMMING);

    private static final String READ = "read of the bytes";
    private static final String DOT = DistanceMetric.DOTPRODUCT.toString();

    /** Euclidean distances as a search computes them, which looks for few rows. */
    private static final String NEAREST = "euclidean, nearest alone";

    private static final String LUCENE = "Lucene's";

    /** Which of Lucene's loops runs in this process: both would spoil each other's compilation. */
    enum Lucene {
        NONE,
        MAPPED,
        ARRAYS
    }

    /** One pass over all rows; its result prevents the compiler from removing it. */
    private interface Pass {
        double run() throws IOException;
    }

    private CellScans() {}

    /**
     * Prints lines that {@link ChildJvm#measure} reads.
     *
     * @param arguments the cell type, which of {@link Lucene}, and the folder for files
     */
    public static void main(String[] arguments) throws IOException {
        CellType type = CellType.valueOf(arguments[0]);
        Lucene lucene = Lucene.valueOf(arguments[1]);
        for (long size : SIZES) {
            if (lucene != Lucene.NONE && size > MOST_ON_HEAP) {
                continue;
            }
            measure(type, lucene, Path.of(arguments[2]), size);
        }
    }

    private static void measure(CellType type, Lucene lucene, Path folder, long size)
            throws IOException {
        var random = new Random(2026);
        Path file = Files.createTempFile(folder, "column", ".run");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment column = map(file, type, random, size, arena);
            MemoryRead.all(column);
            DenseTensor query = DenseTensor.of(field(type), cells(type, random, CELLS));
            if (lucene == Lucene.NONE) {
                besideRead(type, query, column, arena);
            } else {
                besideLucene(lucene, file, query, column);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void besideRead(
            CellType type, DenseTensor query, MemorySegment column, Arena arena)
            throws IOException {
        var vectors = new StoredVectors(column, Optional.of(lengths(type, column, arena)));
        var passes = new LinkedHashMap<String, Pass>();
        passes.put(READ, () -> (double) MemoryRead.all(column));
        for (DistanceMetric metric : METRICS) {
            if (metric != DistanceMetric.HAMMING || type == CellType.INT8) {
                passes.put(metric.toString(), scan(metric, type, query, vectors));
            }
        }
        if (type == CellType.BFLOAT16) {
            passes.put(NEAREST, search(type, query, vectors));
        }
        Map<String, Double> nanos = nanos(passes);
        double read = nanosOf(nanos, READ);
        String of = of(type, column);
        nanos.forEach((name, each) -> {
            print(of + name, "GB/s", (double) column.byteSize() / each);
            if (!name.equals(READ)) {
                print(of + name + " over read", "", read / each);
            }
        });
        print(of + DOT + " allocates per vector", "bytes", allocated(passes) / rows(type, column));
    }

    private static void besideLucene(
            Lucene lucene, Path file, DenseTensor query, MemorySegment column) throws IOException {
        byte[] bytes = new byte[CELLS];
        for (int i = 0; i < CELLS; i++) {
            bytes[i] = (byte) query.cell(i);
        }
        try (var rows = new LuceneRows(file, bytes)) {
            byte[][] arrays = lucene == Lucene.ARRAYS ? rows.arrays() : new byte[0][];
            var passes = new LinkedHashMap<String, Pass>();
            StoredVectors vectors = StoredVectors.of(column);
            passes.put(DOT, scan(DistanceMetric.DOTPRODUCT, CellType.INT8, query, vectors));
            passes.put(
                    LUCENE,
                    lucene == Lucene.ARRAYS
                            ? () -> LuceneRows.arrayDots(arrays, bytes)
                            : rows::mappedDots);
            Map<String, Double> nanos = nanos(passes);
            String of = of(CellType.INT8, column);
            String name = "Lucene's, " + lucene.name().toLowerCase(Locale.ROOT);
            print(of + name, "GB/s", (double) column.byteSize() / nanosOf(nanos, LUCENE));
            print(of + "dotproduct over " + name, "", nanosOf(nanos, LUCENE) / nanosOf(nanos, DOT));
        }
    }

    private static Pass scan(
            DistanceMetric metric, CellType type, DenseTensor query, StoredVectors vectors) {
        Distances distances = Distances.of(metric, field(type), query);
        int rows = rows(type, vectors.cells());
        double[] into = new double[BLOCK];
        return () -> {
            double sum = 0;
            for (int row = 0; row < rows; row += BLOCK) {
                distances.run(vectors, row, Math.min(BLOCK, rows - row), into);
                sum += into[0];
            }
            return sum;
        };
    }

    /** Searches the nearest rows, with their distance as the bound from the start. */
    private static Pass search(CellType type, DenseTensor query, StoredVectors vectors) {
        Distances distances = Distances.of(DistanceMetric.EUCLIDEAN, field(type), query);
        int rows = rows(type, vectors.cells());
        double[] into = new double[BLOCK];
        distances.run(vectors, 0, BLOCK, into);
        double least = Arrays.stream(into).min().orElseThrow();
        return () -> {
            double sum = 0;
            for (int row = 0; row < rows; row += BLOCK) {
                int count = Math.min(BLOCK, rows - row);
                distances.runWithin(vectors, row, count, least, into);
                sum += distances.firstWithin(into, 0, count, least);
            }
            return sum;
        };
    }

    private static MemorySegment lengths(CellType type, MemorySegment column, Arena arena) {
        DenseTensor zeros = DenseTensor.of(field(type), new double[CELLS]);
        Distances squares = Distances.of(DistanceMetric.EUCLIDEAN, field(type), zeros);
        int rows = rows(type, column);
        double[] lengths = new double[rows];
        squares.run(StoredVectors.of(column), 0, rows, lengths);
        MemorySegment inverse = arena.allocate((long) rows * Float.BYTES);
        for (int row = 0; row < rows; row++) {
            float length = (float) (1 / Math.sqrt(lengths[row]));
            inverse.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, row, length);
        }
        return inverse;
    }

    private static double nanosOf(Map<String, Double> nanos, String name) {
        return Objects.requireNonNull(nanos.get(name), name);
    }

    private static double allocated(Map<String, Pass> passes) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Pass dot = Objects.requireNonNull(passes.get(DOT));
        long before = threads.getCurrentThreadAllocatedBytes();
        dot.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Returns the time of a pass of each variant, in nanoseconds. */
    private static Map<String, Double> nanos(Map<String, Pass> passes) throws IOException {
        take(passes, WARMING_NANOS);
        var nanos = new LinkedHashMap<String, Double>();
        take(passes, MEASURED_NANOS)
                .forEach((name, times) -> {
                    List<Long> sorted = times.stream().sorted().toList();
                    nanos.put(name, (double) sorted.get(sorted.size() / QUARTER));
                });
        return nanos;
    }

    /** Lets passes take turns for so much processor time, and as often as {@link #LEAST}. */
    private static Map<String, List<Long>> take(Map<String, Pass> passes, long time)
            throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        var times = new LinkedHashMap<String, List<Long>>();
        double sum = 0;
        long end = threads.getCurrentThreadCpuTime() + time;
        for (int turn = 0; turn < LEAST || threads.getCurrentThreadCpuTime() < end; turn++) {
            for (Map.Entry<String, Pass> each : passes.entrySet()) {
                long before = threads.getCurrentThreadCpuTime();
                sum += each.getValue().run();
                long taken = threads.getCurrentThreadCpuTime() - before;
                times.computeIfAbsent(each.getKey(), _ -> new ArrayList<>()).add(taken);
            }
        }
        if (Double.isNaN(sum)) {
            throw new IllegalStateException("distances are not numbers");
        }
        return times;
    }

    private static void print(String what, String unit, double value) {
        System.out.println(ChildJvm.line(what, unit, value));
    }

    private static String of(CellType type, MemorySegment column) {
        return "%s, %d MB: "
                .formatted(type.name().toLowerCase(Locale.ROOT), column.byteSize() / 1_000_000);
    }

    private static int rows(CellType type, MemorySegment column) {
        return (int) (column.byteSize() / ((long) CELLS * type.size()));
    }

    private static TensorType field(CellType type) {
        return new TensorType(type, List.of(new Dimension.Indexed("x", CELLS)));
    }

    private static double[] cells(CellType type, Random random, int count) {
        return type == CellType.INT8
                ? random.ints(count, Byte.MIN_VALUE, Byte.MAX_VALUE + 1).asDoubleStream().toArray()
                : random.doubles(count, -0.5, 0.5).toArray();
    }

    private static MemorySegment map(
            Path file, CellType type, Random random, long size, Arena arena) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (double cell : cells(type, random, BLOCK_BYTES / type.size())) {
            switch (type) {
                case DOUBLE -> block.putDouble(cell);
                case FLOAT -> block.putFloat((float) cell);
                case BFLOAT16 ->
                        block.putShort((short) (Float.floatToRawIntBits((float) cell) >>> 16));
                case INT8 -> block.put((byte) cell);
            }
        }
        MemorySegment cells = MemorySegment.ofBuffer(block.flip());
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment written = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            for (long at = 0; at < size; at += BLOCK_BYTES) {
                MemorySegment.copy(cells, 0, written, at, BLOCK_BYTES);
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
        }
    }
}
