package org.crabro.perf;

import java.nio.file.Path;
import java.util.Collection;
import org.crabro.ranking.kernel.DistancesBenchmark;
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

    @Override
    public String name() {
        return "kernel";
    }

    @Override
    public String summary() {
        return "distances of %,d stored vectors of %d bfloat16 cells, against reading their bytes"
                .formatted(DistancesBenchmark.ROWS, DistancesBenchmark.CELLS);
    }

    @Override
    public Prepared prepare(Path folder) {
        return figures -> measure(figures, folder);
    }

    private static void measure(Figures figures, Path folder) throws RunnerException {
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
        double read = bytesPerNano(results, "read");
        figures.add("read of the bytes", "GB/s", read);
        for (String scan : new String[] {"dot", "angular"}) {
            double scanned = bytesPerNano(results, scan);
            figures.add(scan + ", scan", "GB/s", scanned);
            figures.add(scan + ", vectors", "M/s", scanned * 1e3 / DistancesBenchmark.ROW_SIZE);
            figures.add(scan + ", scan over read", "", scanned / read);
            figures.add(
                    scan + ", allocated per vector",
                    "bytes",
                    secondary(results, scan) / DistancesBenchmark.ROWS);
        }
    }

    private static double bytesPerNano(Collection<RunResult> results, String method) {
        // The lower quartile of all passes: those that others on the machine cut in two do not
        // count.
        double nanos = result(results, method).getPrimaryResult().getStatistics().getPercentile(25);
        return (double) DistancesBenchmark.ROWS * DistancesBenchmark.ROW_SIZE / nanos;
    }

    private static double secondary(Collection<RunResult> results, String method) {
        Result<?> allocated = result(results, method).getSecondaryResults().get(ALLOCATED);
        if (allocated == null) {
            throw new IllegalStateException("no " + ALLOCATED + " of " + method);
        }
        return allocated.getScore();
    }

    private static RunResult result(Collection<RunResult> results, String method) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .findFirst()
                .orElseThrow();
    }
}
