package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Runs in a JVM of its own, which was not given the module of the Vector API. */
final class WithoutVectorModule {
    private WithoutVectorModule() {}

    /** Prints whether vectors are used, and the dot product of (1, 2) and (3, 4). */
    public static void main(String[] arguments) {
        var type = new TensorType(CellType.FLOAT, List.of(new Dimension.Indexed("x", 2)));
        try (var arena = Arena.ofConfined()) {
            MemorySegment column = arena.allocate(8);
            Cells.write(column, 0, CellType.FLOAT, 3);
            Cells.write(column, 4, CellType.FLOAT, 4);
            double[] internal = new double[1];
            Distances.of(DistanceMetric.DOTPRODUCT, type, DenseTensor.of(type, new double[] {1, 2}))
                    .run(StoredVectors.of(column), 0, 1, internal);
            System.out.println(Distances.isVectorized() + " " + internal[0]);
        }
    }
}
