package org.crabro.perf.search;

import java.nio.file.Path;
import java.util.Collection;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Forks;
import org.crabro.ranking.program.MaxSimBenchmark;
import org.crabro.ranking.program.ProductsBenchmark;
import org.crabro.tensor.CellType;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Compares MaxSim with loops that multiply and add as often, and floats with doubles. */
public final class MaxSimsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "maxsim";
    }

    @Override
    public String summary() {
        return "MaxSim of 32 x 128 against documents of 128 vectors, against multiplying and adding; dot products";
    }

    @Override
    public Prepared prepare(Path folder) {
        return MaxSimsBenchmark::measure;
    }

    private static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = Forks.run(MaxSimBenchmark.class);
        for (CellType type : new CellType[] {CellType.FLOAT, CellType.BFLOAT16}) {
            double maxSim = perNano(results, "maxSim", type);
            double loop = perNano(results, "multiplyAdd", type);
            double registers = perNano(results, "registers", type);
            figures.add(type + ": MaxSim, products per ns", "", maxSim);
            figures.add(type + ": loop over arrays", "", loop);
            figures.add(type + ": loop over registers", "", registers);
            figures.add(type + ": MaxSim over arrays", "", maxSim / loop);
            figures.add(type + ": MaxSim over registers", "", maxSim / registers);
        }
        Collection<RunResult> products = Forks.run(ProductsBenchmark.class);
        for (String method : new String[] {"dotProduct", "maxSimOfBits"}) {
            double floats = nanos(products, method, CellType.FLOAT);
            double doubles = nanos(products, method, CellType.DOUBLE);
            figures.add(method + " in floats, ns a document", "", floats);
            figures.add(method + " in doubles, ns a document", "", doubles);
            figures.add(method + ": doubles over floats", "", doubles / floats);
        }
    }

    private static double nanos(Collection<RunResult> results, String method, CellType query) {
        return Forks.nanos(results, method, "query", query.name()) / ProductsBenchmark.DOCUMENTS;
    }

    private static double perNano(Collection<RunResult> results, String method, CellType type) {
        return (double) MaxSimBenchmark.DOCUMENTS
                * MaxSimBenchmark.PRODUCTS
                / Forks.nanos(results, method, "cellType", type.name());
    }
}
