package org.crabro.perf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.ranking.kernel.DistancesBenchmark;
import org.crabro.tensor.CellType;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Compares a scan over stored vectors with reading the same bytes. */
final class KernelBenchmark implements Benchmark {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** The part that scans bfloat16 vectors of several sizes; the others are types of cells. */
    private static final String SIZES = "sizes";

    private static final List<String> PARTS =
            Stream.concat(
                            Stream.of(SIZES),
                            Arrays.stream(CellType.values()).map(KernelBenchmark::part))
                    .toList();

    private final List<String> parts;

    KernelBenchmark() {
        this(PARTS);
    }

    private KernelBenchmark(List<String> parts) {
        this.parts = parts;
    }

    @Override
    public String name() {
        return "kernel";
    }

    @Override
    public String summary() {
        return "distances of stored vectors of %d cells, against reading their bytes; parts %s"
                .formatted(DistancesBenchmark.CELLS, String.join(", ", PARTS));
    }

    @Override
    public Optional<Benchmark> only(List<String> only) {
        return PARTS.containsAll(only)
                ? Optional.of(new KernelBenchmark(List.copyOf(only)))
                : Optional.empty();
    }

    @Override
    public Prepared prepare(Path folder) {
        return figures -> {
            for (String part : parts) {
                if (part.equals(SIZES)) {
                    sizes(figures, folder);
                } else {
                    cells(figures, folder, CellType.valueOf(part.toUpperCase(Locale.ROOT)));
                }
            }
        };
    }

    private static String part(CellType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static void cells(Figures figures, Path folder, CellType type)
            throws IOException, InterruptedException {
        for (CellScans.Lucene lucene : CellScans.Lucene.values()) {
            if (lucene == CellScans.Lucene.NONE || type == CellType.INT8) {
                ChildJvm.measure(
                        figures,
                        // Compiles before it goes on, however busy the machine is.
                        List.of("-Xmx512m", "-Xbatch"),
                        CellScans.class,
                        type.name(),
                        lucene.name(),
                        folder.toString());
            }
        }
    }

    private static void sizes(Figures figures, Path folder) throws RunnerException {
        // A JVM per round, so that each has compiled anew.
        Options options =
                new OptionsBuilder()
                        .include(DistancesBenchmark.class.getName() + "\\.")
                        .param("folder", folder.toString())
                        .forks(1)
                        .jvmArgsAppend("--add-modules=jdk.incubator.vector")
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build();
        Collection<RunResult> results = new Runner(options).run();
        for (String rows : new String[] {"10000", "100000", "400000"}) {
            compare(figures, results, rows);
        }
    }

    private static void compare(Figures figures, Collection<RunResult> results, String rows) {
        String vectors = "%,d vectors: ".formatted(Integer.parseInt(rows));
        double read = bytesPerNano(results, "read", rows);
        figures.add(vectors + "read of the bytes", "GB/s", read);
        for (String scan : new String[] {"dot", "angular"}) {
            double scanned = bytesPerNano(results, scan, rows);
            figures.add(vectors + scan, "GB/s", scanned);
            figures.add(vectors + scan + " over read", "", scanned / read);
        }
        Result<?> allocated = result(results, "dot", rows).getSecondaryResults().get(ALLOCATED);
        if (allocated == null) {
            throw new IllegalStateException("JMH gave no " + ALLOCATED);
        }
        double perVector = allocated.getScore() / Integer.parseInt(rows);
        figures.add(vectors + "dot allocates per vector", "bytes", perVector);
    }

    private static double bytesPerNano(Collection<RunResult> results, String method, String rows) {
        // The lower quartile of passes: those that others on the machine cut in two do not count.
        double nanos =
                result(results, method, rows).getPrimaryResult().getStatistics().getPercentile(25);
        return (double) Integer.parseInt(rows) * DistancesBenchmark.ROW_SIZE / nanos;
    }

    private static RunResult result(Collection<RunResult> results, String method, String rows) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .filter(result -> result.getParams().getParam("rows").equals(rows))
                .findFirst()
                .orElseThrow();
    }
}
