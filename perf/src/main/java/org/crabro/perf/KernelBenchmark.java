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
        return "distances of stored vectors of %d bfloat16 cells, against reading their bytes"
                .formatted(DistancesBenchmark.CELLS);
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
