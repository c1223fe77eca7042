package org.crabro.ranking.onnx;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A model of a package for ranking, with the sizes of its inputs and outputs. It holds no
 * resources: {@link RankModels} load it.
 *
 * @param name in the schema
 * @param file contains all weights
 * @param hasRows whether the first dimension of all inputs and outputs, of size 1 here, can be
 *     larger, and each row seems to be computed independently
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
     * An input or an output, in row-major order.
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
