package org.crabro.perf.search;

import java.nio.file.Path;
import java.util.Collection;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Forks;
import org.crabro.ranking.program.HybridBenchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Compares a rank expression with the same written in Java. */
public final class HybridsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "hybrid";
    }

    @Override
    public String summary() {
        return "an expression of bm25, closeness and freshness over %,d documents, against Java"
                .formatted(HybridBenchmark.CANDIDATES);
    }

    @Override
    public Prepared prepare(Path folder) {
        return HybridsBenchmark::measure;
    }

    private static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = Forks.run(HybridBenchmark.class);
        compare(figures, results, "features computed", "stored", "byHandStored");
        compare(figures, results, "features given", "given", "byHandGiven");
    }

    private static void compare(
            Figures figures,
            Collection<RunResult> results,
            String what,
            String method,
            String byHand) {
        double evaluated = Forks.nanos(results, method);
        double written = Forks.nanos(results, byHand);
        figures.add(what + ": expression", "us", evaluated / 1e3);
        figures.add(what + ": by hand", "us", written / 1e3);
        figures.add(what + ": expression over by hand", "", evaluated / written);
    }
}
