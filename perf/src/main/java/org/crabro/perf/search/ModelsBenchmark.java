package org.crabro.perf.search;

import java.nio.file.Path;
import java.util.Collection;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Forks;
import org.crabro.ranking.program.ModelBenchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Compares models in rank expressions with calls of ONNX Runtime that one would write by hand. */
public final class ModelsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "onnx";
    }

    @Override
    public String summary() {
        return "a network of two layers over %,d rows, against calls of ONNX Runtime by hand"
                .formatted(ModelBenchmark.ROWS);
    }

    @Override
    public Prepared prepare(Path folder) {
        return ModelsBenchmark::measure;
    }

    private static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = Forks.run(ModelBenchmark.class);
        double tensor = Forks.nanos(results, "tensor");
        double numbers = Forks.nanos(results, "numbers");
        double reused = Forks.nanos(results, "reused");
        double created = Forks.nanos(results, "created");
        double atOnce = Forks.nanos(results, "atOnce");
        figures.add("given a tensor, ns per row", "ns", tensor / ModelBenchmark.ROWS);
        figures.add("given 16 numbers, ns per row", "ns", numbers / ModelBenchmark.ROWS);
        figures.add("by hand, tensors reused", "ns", reused / ModelBenchmark.ROWS);
        figures.add("by hand, tensors made for each row", "ns", created / ModelBenchmark.ROWS);
        figures.add("by hand, one call for all rows", "ns", atOnce / ModelBenchmark.ROWS);
        figures.add("a tensor over by hand, reused", "", tensor / reused);
        figures.add("a tensor over one call for all", "", tensor / atOnce);
        figures.add("16 numbers over by hand, reused", "", numbers / reused);
    }
}
