package org.crabro.perf.search;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.perf.harness.Together;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** The kernel alone, over the vectors of users in a mapped file, with stored lengths as in runs. */
final class PersonalKernel implements AutoCloseable {
    /** The write size of runs. */
    private static final int WRITE_SIZE = 256 << 10;

    /** The number of calls after which the kernel is compiled with all optimizations. */
    private static final int WARMING_CALLS = 4_000;

    private static final long MEASURED_NANOS = 60_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Arena arena = Arena.ofShared();
    private final StoredVectors vectors;
    private final Distances distances;

    /**
     * @param folder where a file of the vectors is left
     * @param rows the maximum number of rows of all users together in {@link #millis}
     */
    PersonalKernel(Path folder, int rows) throws IOException {
        var random = new Random(11);
        MemorySegment lengths = arena.allocate((long) rows * Float.BYTES);
        // About as long as each is: squares of cells between 0 and 1 are 1/3 on the average.
        float inverse = (float) Math.sqrt(3.0 / PersonalVectors.CELLS);
        for (int row = 0; row < rows; row++) {
            lengths.setAtIndex(ValueLayout.JAVA_FLOAT, row, inverse);
        }
        vectors = new StoredVectors(map(folder, rows, random, arena), Optional.of(lengths));
        distances =
                Distances.of(
                        DistanceMetric.ANGULAR,
                        TensorType.parse("tensor<bfloat16>(x[384])"),
                        DenseTensor.of(
                                TensorType.parse("tensor<float>(x[384])"),
                                random.doubles(PersonalVectors.CELLS).toArray()));
        double[] into = new double[BlockLayout.ROWS_MAX];
        for (int call = 0; call < WARMING_CALLS; call++) {
            distances.run(vectors, 0, BlockLayout.ROWS_MAX, into);
        }
    }

    private static MemorySegment map(Path folder, int rows, Random random, Arena arena)
            throws IOException {
        long size = (long) rows * PersonalVectors.CELLS * Short.BYTES;
        ByteBuffer cells = ByteBuffer.allocateDirect(WRITE_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel file =
                FileChannel.open(
                        folder.resolve("vectors"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            for (long at = 0; at < size; at += WRITE_SIZE) {
                cells.clear().limit((int) Math.min(WRITE_SIZE, size - at));
                while (cells.hasRemaining()) {
                    int bits = Float.floatToRawIntBits(random.nextFloat());
                    cells.putShort((short) (bits >>> Short.SIZE));
                }
                file.write(cells.flip(), at);
            }
            return file.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
        }
    }

    /**
     * Returns the median processor time of a pass over the vectors of one user, in ms.
     *
     * @param threads the number of threads that make passes at the same time, each over all vectors
     *     of a user, in different parts of the file, so that no thread finds the reads of another
     *     in a cache
     */
    double millis(PersonalVectors.Users users, int threads) throws Exception {
        Histogram times =
                Together.times(
                        threads,
                        (thread, taken) ->
                                passes(
                                        users,
                                        thread * (users.vectors() * users.count() / threads),
                                        taken));
        return times.getValueAtPercentile(50) / 1e6;
    }

    /** Makes passes from a row on. */
    private void passes(PersonalVectors.Users users, int first, Histogram times) {
        double[] into = new double[BlockLayout.ROWS_MAX];
        int all = users.vectors() * users.count();
        int row = first;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < MEASURED_NANOS) {
            long before = THREADS.getCurrentThreadCpuTime();
            int left = users.vectors();
            while (left > 0) {
                int count = Math.min(into.length, Math.min(left, all - row));
                distances.run(vectors, row, count, into);
                row = (row + count) % all;
                left -= count;
            }
            times.recordValue(THREADS.getCurrentThreadCpuTime() - before);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
