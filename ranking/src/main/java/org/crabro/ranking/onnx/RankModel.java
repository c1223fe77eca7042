package org.crabro.ranking.onnx;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A model of a package that takes part in ranking, with the sizes of what it is given and gives. It
 * holds nothing open: {@link RankModels} load it.
 *
 * @param name as the schema calls it
 * @param file of its own alone: weights are in it
 * @param hasRows whether the first dimension of all inputs and outputs, of size 1 here, may be
 *     larger, and looks as if each row were computed by itself
 */
public record RankModel(
        String name,
        Path file,
        ModelSettings settings,
        List<Value> inputs,
        List<Value> outputs,
        boolean hasRows) {
    public RankModel {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /**
     * A tensor that goes in or comes out, in row-major order.
     *
     * @param name in the model
     * @param sizes of the dimensions, each at least 1
     */
    public record Value(String name, ElementType element, List<Integer> sizes) {
        public Value {
            sizes = List.copyOf(sizes);
        }

        /** Returns how many cells there are. */
        public int cellCount() {
            return sizes.stream().reduce(1, Math::multiplyExact);
        }

        /** Returns the type that it has in ranking, with dimensions {@code d0}, {@code d1}, …. */
        public TensorType type() {
            if (sizes.isEmpty()) {
                return TensorType.SCALAR;
            }
            var dimensions = new ArrayList<Dimension>();
            for (int i = 0; i < sizes.size(); i++) {
                dimensions.add(new Dimension.Indexed("d" + i, sizes.get(i)));
            }
            return new TensorType(element.cells(), dimensions);
        }

        long[] shape() {
            return sizes.stream().mapToLong(Integer::longValue).toArray();
        }
    }
}
