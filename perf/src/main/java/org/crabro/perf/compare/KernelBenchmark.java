package org.crabro.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.ChildJvm;
import org.crabro.perf.harness.Figures;
import org.crabro.tensor.CellType;

/** Compares a scan over stored vectors with reading the same bytes. */
public final class KernelBenchmark implements Benchmark {
    private static final List<String> PARTS =
            Arrays.stream(CellType.values()).map(KernelBenchmark::part).toList();

    private final List<String> parts;

    public KernelBenchmark() {
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
                .formatted(CellScans.CELLS, String.join(", ", PARTS));
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
                cells(figures, folder, CellType.valueOf(part.toUpperCase(Locale.ROOT)));
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
                        // Waits for the compiler, regardless of other load on the machine.
                        List.of("-Xmx512m", "-Xbatch"),
                        CellScans.class,
                        type.name(),
                        lucene.name(),
                        folder.toString());
            }
        }
    }
}
