package org.crabro.ranking.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Runs in a JVM of its own, with machine code on or off. */
final class WithMachineCodeUse {
    private static final int ROWS = 16;
    private static final int CELLS = 128;

    private WithMachineCodeUse() {}

    /**
     * Prints whether machine code is used, how many areas of memory without a name can be executed
     * and not written, and the distances of rows of each type that has machine code.
     *
     * @param arguments the name of a {@link MachineCodeUse}
     */
    public static void main(String[] arguments) throws IOException {
        MachineCodeUse.valueOf(arguments[0]).apply();
        System.out.println(Distances.isMachineCode());
        for (CellType type : List.of(CellType.BFLOAT16, CellType.INT8)) {
            for (DistanceMetric metric :
                    List.of(DistanceMetric.DOTPRODUCT, DistanceMetric.EUCLIDEAN)) {
                for (double distance : distances(metric, type)) {
                    System.out.println(distance);
                }
            }
        }
        try (Stream<String> areas = Files.lines(Path.of("/proc/self/maps"))) {
            System.out.println(
                    areas.filter(area -> area.matches(".* r-xp \\S+ 00:00 0\\s*")).count());
        }
    }

    private static double[] distances(DistanceMetric metric, CellType cells) {
        var random = new Random(7);
        var type = new TensorType(cells, List.of(new Dimension.Indexed("x", CELLS)));
        double[] query = random.ints(CELLS, -100, 100).asDoubleStream().toArray();
        double[] internal = new double[ROWS];
        try (var arena = Arena.ofConfined()) {
            MemorySegment column = arena.allocate((long) ROWS * CELLS * cells.size(), 64);
            for (int i = 0; i < ROWS * CELLS; i++) {
                Cells.write(column, (long) i * cells.size(), cells, random.nextInt(-100, 100));
            }
            Distances.of(metric, type, DenseTensor.of(type, query))
                    .run(StoredVectors.of(column), 0, ROWS, internal);
        }
        return internal;
    }
}
