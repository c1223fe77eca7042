package org.crabro.perf.search;

import java.nio.file.Path;
import java.util.Collection;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Forks;
import org.crabro.ranking.forest.ForestBenchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Compares decision trees with the loop that one would write by hand. */
public final class ForestsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "forest";
    }

    @Override
    public String summary() {
        return "%d decision trees over %,d rows, against flat loops written by hand"
                .formatted(ForestBenchmark.TREES, ForestBenchmark.ROWS);
    }

    @Override
    public Prepared prepare(Path folder) {
        return ForestsBenchmark::measure;
    }

    private static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = Forks.run(ForestBenchmark.class);
        for (String shape : new String[] {"full", "leaves"}) {
            double flat = Forks.nanos(results, "flat", "shape", shape);
            double byRow = Forks.nanos(results, "byHandRowByRow", "shape", shape);
            double byTree = Forks.nanos(results, "byHandTreeByTree", "shape", shape);
            figures.add(shape + ": forest, ns per row", "ns", flat / ForestBenchmark.ROWS);
            figures.add(shape + ": by hand, row by row", "ns", byRow / ForestBenchmark.ROWS);
            figures.add(shape + ": by hand, tree by tree", "ns", byTree / ForestBenchmark.ROWS);
            figures.add(shape + ": forest over the faster", "", flat / Math.min(byRow, byTree));
        }
    }
}
