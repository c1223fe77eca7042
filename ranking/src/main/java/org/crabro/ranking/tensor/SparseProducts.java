package org.crabro.ranking.tensor;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** The cells of a sparse tensor by their labels, to add products with others of its type. */
public final class SparseProducts {
    private final int[] places;
    private final Map<Object, Double> cells = new HashMap<>();

    /**
     * @param tensor all of whose dimensions are mapped
     */
    public SparseProducts(TensorData tensor) {
        places = Shape.places(tensor.type().dimensions(), tensor.type());
        for (int i = 0; i < tensor.subspaceCount(); i++) {
            cells.put(Shape.key(tensor.labels(i), places), tensor.cells()[i]);
        }
    }

    /**
     * Returns the sum of products of cells with the same labels.
     *
     * @param work receives the units of {@link TensorWork}
     */
    public double sum(TensorData other, IntConsumer work) {
        double sum = 0;
        for (int i = 0; i < other.subspaceCount(); i++) {
            work.accept(TensorWork.SUBSPACE_UNITS);
            Double cell = cells.get(Shape.key(other.labels(i), places));
            if (cell != null) {
                sum += other.cells()[i] * cell;
            }
        }
        return sum;
    }
}
