package org.crabro.ranking.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Scans a column of bfloat16 vectors in a mapped file, on one thread, block by block as a query
 * does; beside it, a plain read of the same mapping. One operation is one pass over all of it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class DistancesBenchmark {
    /** Cells of a vector. */
    public static final int CELLS = 384;

    /** Bytes of a vector. */
    public static final int ROW_SIZE = CELLS * Short.BYTES;

    /** As many rows as a block of a run has at most. */
    private static final int BLOCK = 1_000;

    private static final TensorType TYPE =
            new TensorType(CellType.BFLOAT16, List.of(new Dimension.Indexed("x", CELLS)));

    /** Stored vectors: 7 MB, which caches hold; 73 MB, which they hold in part; and 293 MB. */
    @Param({"10000", "100000", "400000"})
    public int rows;

    /** Where the mapped file is made. */
    @Param("")
    public String folder = "";

    private final Arena arena = Arena.ofShared();
    private final double[] into = new double[BLOCK];
    private Path file = Path.of("");
    private MemorySegment column = MemorySegment.NULL;
    private MemorySegment inverseLengths = MemorySegment.NULL;
    private Distances dot = distances(DistanceMetric.DOTPRODUCT);
    private Distances angular = distances(DistanceMetric.ANGULAR);

    /** Writes the file, maps it read-only and touches every page. */
    @Setup
    public void map() throws IOException {
        file = Files.createTempFile(Path.of(folder), "column", ".run");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = (long) rows * ROW_SIZE;
            MemorySegment written = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            MemorySegment block = randomBlock();
            for (long at = 0; at < size; at += block.byteSize()) {
                MemorySegment.copy(block, 0, written, at, block.byteSize());
            }
            column = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
        }
        MemoryRead.all(column);
        inverseLengths = arena.allocate((long) rows * Float.BYTES);
        for (long at = 0; at < inverseLengths.byteSize(); at += Float.BYTES) {
            // About as long as they are: nothing depends on how long.
            inverseLengths.set(ScalarRowKernels.FLOAT, at, 0.177f);
        }
    }

    /** Unmaps the file and removes it. */
    @TearDown
    public void unmap() throws IOException {
        arena.close();
        Files.delete(file);
    }

    /** Dot products of all rows. */
    @Benchmark
    public double dot() {
        return scan(dot, StoredVectors.of(column));
    }

    /** Cosines of all rows, whose lengths are kept beside them, as runs have them. */
    @Benchmark
    public double angular() {
        return scan(angular, new StoredVectors(column, Optional.of(inverseLengths)));
    }

    /** The bytes alone. */
    @Benchmark
    public long read() {
        return MemoryRead.all(column);
    }

    private double scan(Distances distances, StoredVectors vectors) {
        double sum = 0;
        for (int row = 0; row < rows; row += BLOCK) {
            distances.run(vectors, row, BLOCK, into);
            sum += into[0];
        }
        return sum;
    }

    private MemorySegment randomBlock() {
        MemorySegment block = arena.allocate((long) BLOCK * ROW_SIZE);
        var cell = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
        var random = new Random(2026);
        for (long at = 0; at < block.byteSize(); at += Short.BYTES) {
            int bits = Float.floatToRawIntBits(random.nextFloat() - 0.5f);
            block.set(cell, at, (short) (bits >>> Short.SIZE));
        }
        return block;
    }

    private static Distances distances(DistanceMetric metric) {
        double[] cells = new Random(7).doubles(CELLS, -0.5, 0.5).toArray();
        return Distances.of(metric, TYPE, DenseTensor.of(TYPE, cells));
    }
}
