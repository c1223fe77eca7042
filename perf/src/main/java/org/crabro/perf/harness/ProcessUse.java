package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What processes have used since this object was made: processor time, memory and device bytes. On
 * systems without {@code /proc} only processor time is known.
 */
public final class ProcessUse {
    private static final Pattern ANONYMOUS = Pattern.compile("RssAnon:\\s+(\\d+) kB");
    private static final Pattern DEVICE = Pattern.compile("^(?:read|write)_bytes: (\\d+)$");

    private final List<Long> pids;
    private final long cpuBefore;
    private final Optional<Double> deviceBefore;

    private ProcessUse(List<Long> pids) throws IOException {
        this.pids = pids;
        this.cpuBefore = cpuNanos(pids);
        this.deviceBefore = deviceBytes(pids);
    }

    /** Begins to count. */
    public static ProcessUse of(List<Long> pids) throws IOException {
        return new ProcessUse(List.copyOf(pids));
    }

    /**
     * Returns the cost until now.
     *
     * @param operations since the begin
     * @param files the directories of the data
     * @param documents in the data, or 0 if their size is not of interest
     */
    public Measured.Cost cost(long operations, List<Path> files, long documents)
            throws IOException {
        double cpuMillis = (cpuNanos(pids) - cpuBefore) / 1e6 / Math.max(1, operations);
        Optional<Double> device =
                deviceBytes(pids).flatMap(now -> deviceBefore.map(before -> now - before));
        return new Measured.Cost(
                Optional.of(cpuMillis),
                anonymousBytes(pids),
                device,
                documents == 0
                        ? Optional.empty()
                        : Optional.of((double) fileBytes(files) / documents));
    }

    /** Returns the bytes of all files below some directories. */
    public static long fileBytes(List<Path> directories) throws IOException {
        long sum = 0;
        for (Path directory : directories) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(directory)) {
                files = all.filter(Files::isRegularFile).toList();
            }
            for (Path file : files) {
                sum += size(file);
            }
        }
        return sum;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException _) {
            // A merge has removed it since it was listed.
            return 0;
        }
    }

    private static long cpuNanos(List<Long> pids) {
        return pids.stream().mapToLong(ProcessorTime::nanos).sum();
    }

    private static Optional<Double> anonymousBytes(List<Long> pids) throws IOException {
        return sum(pids, "status", ANONYMOUS).map(kib -> 1_024 * kib);
    }

    private static Optional<Double> deviceBytes(List<Long> pids) throws IOException {
        return sum(pids, "io", DEVICE);
    }

    private static Optional<Double> sum(List<Long> pids, String file, Pattern number)
            throws IOException {
        double sum = 0;
        for (long pid : pids) {
            Path path = Path.of("/proc", Long.toString(pid), file);
            if (!Files.isReadable(path)) {
                return Optional.empty();
            }
            for (String line : Files.readAllLines(path)) {
                Matcher match = number.matcher(line);
                if (match.find()) {
                    sum += Double.parseDouble(match.group(1));
                }
            }
        }
        return Optional.of(sum);
    }
}
