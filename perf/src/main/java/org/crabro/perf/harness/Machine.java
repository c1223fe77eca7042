package org.crabro.perf.harness;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.crabro.ranking.kernel.MemoryRead;

/** The figures of the machine, to which all other figures relate. */
public final class Machine {
    private static final long MEMORY_SIZE = 256L << 20;
    private static final int MEMORY_ROUNDS = 12;
    private static final int DISK_BLOCK = 64 << 10;
    private static final int DISK_BLOCKS = 512;
    private static final int FORCES = 100;

    private Machine() {}

    /**
     * Describes the machine and measures its memory and the disk under {@code folder}; takes a few
     * seconds.
     */
    public static List<String> describe(Path folder)
            throws IOException, InterruptedException, ExecutionException {
        int cores = Runtime.getRuntime().availableProcessors();
        var lines = new ArrayList<String>();
        lines.add("processor     %s, %d cores".formatted(processor(), cores));
        lines.add(
                "system        %s %s, JDK %s"
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.version"),
                                Runtime.version()));
        lines.add("load          " + load());
        lines.add(
                "memory read   %s GB/s on one thread, %s on %d"
                        .formatted(
                                Figures.number(memoryRead(1)),
                                Figures.number(memoryRead(cores)),
                                cores));
        lines.add("disk          " + disk(folder));
        return lines;
    }

    /** Returns the model of the processor. */
    public static String processor() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(info)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(info)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }

    /**
     * Returns the load of the machine. Other processes disturb measurements, so the load is printed
     * with the figures.
     */
    private static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : Figures.number(load) + " (average of the last minute)";
    }

    /** Returns GB/s, the best of several rounds, each thread reading memory of its own. */
    public static double memoryRead(int threads) throws InterruptedException, ExecutionException {
        try (Arena arena = Arena.ofShared();
                ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            var reads = new ArrayList<Callable<Long>>();
            for (int i = 0; i < threads; i++) {
                MemorySegment memory = arena.allocate(MEMORY_SIZE, 64).fill((byte) 1);
                reads.add(() -> MemoryRead.all(memory));
            }
            double best = 0;
            for (int round = 0; round < MEMORY_ROUNDS; round++) {
                long start = System.nanoTime();
                for (var read : executor.invokeAll(reads)) {
                    read.get();
                }
                double bytesPerNano = (double) MEMORY_SIZE * threads / (System.nanoTime() - start);
                best = Math.max(best, bytesPerNano);
            }
            return best;
        }
    }

    private static String disk(Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        Path file = Files.createTempFile(folder, "disk", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(DISK_BLOCK);
            long start = System.nanoTime();
            for (int i = 0; i < DISK_BLOCKS; i++) {
                channel.write(block.clear(), (long) i * DISK_BLOCK);
            }
            channel.force(false);
            double bytesPerNano = (double) DISK_BLOCKS * DISK_BLOCK / (System.nanoTime() - start);
            var forces = new ArrayList<Double>();
            for (int i = 0; i < FORCES; i++) {
                long before = System.nanoTime();
                channel.write(block.clear(), (long) i * DISK_BLOCK);
                channel.force(false);
                forces.add((System.nanoTime() - before) / 1e6);
            }
            return "%s, %s: writes %s MB/s; a write of 64 KB with force %s ms at the median"
                    .formatted(
                            store.name(),
                            store.type(),
                            Figures.number(bytesPerNano * 1e3),
                            Figures.number(Figures.median(forces.stream().sorted().toList())));
        } finally {
            Files.delete(file);
        }
    }
}
