package org.crabro.ranking.tensor;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Maps the cells of the indexed dimensions of one type to those of another. */
final class Shape {
    private Shape() {}

    /** Returns the strides of the indexed dimensions by name. */
    static Map<String, Integer> strides(TensorType type) {
        var strides = new HashMap<String, Integer>();
        int stride = 1;
        for (Dimension.Indexed dimension : TensorTypes.indexed(type).reversed()) {
            strides.put(dimension.name(), stride);
            stride *= dimension.size();
        }
        return strides;
    }

    /**
     * Returns for each cell of a subspace of {@code type} the offset of a cell of {@code other}:
     * the cell with the same coordinates in the dimensions of both, and 0 in the dimensions of
     * {@code other} alone.
     */
    static int[] offsets(TensorType type, TensorType other) {
        Map<String, Integer> strides = strides(other);
        int[] offsets = {0};
        for (Dimension.Indexed dimension : TensorTypes.indexed(type)) {
            int stride = strides.getOrDefault(dimension.name(), 0);
            int size = dimension.size();
            int[] wider = new int[offsets.length * size];
            int at = 0;
            for (int offset : offsets) {
                for (int place = 0; place < size; place++) {
                    wider[at++] = offset + place * stride;
                }
            }
            offsets = wider;
        }
        return offsets;
    }

    /** Returns the contribution of a coordinate to an offset. */
    interface Step {
        int at(String dimension, int place);
    }

    static int[] offsets(TensorType type, Step step) {
        int[] offsets = {0};
        for (Dimension.Indexed dimension : TensorTypes.indexed(type)) {
            int[] wider = new int[offsets.length * dimension.size()];
            int at = 0;
            for (int offset : offsets) {
                for (int place = 0; place < dimension.size(); place++) {
                    wider[at++] = offset + step.at(dimension.name(), place);
                }
            }
            offsets = wider;
        }
        return offsets;
    }

    /**
     * Returns for each of the mapped dimensions {@code names} its place in those of {@code type}.
     */
    static int[] places(List<Dimension> names, TensorType type) {
        List<String> mapped = TensorTypes.mapped(type).stream().map(Dimension::name).toList();
        return names.stream().mapToInt(dimension -> mapped.indexOf(dimension.name())).toArray();
    }

    /** Returns something that is equal for subspaces with the same labels at some places. */
    static Object key(String[] labels, int[] places) {
        if (places.length == 1) {
            return labels[places[0]];
        }
        String[] picked = new String[places.length];
        Arrays.setAll(picked, i -> labels[places[i]]);
        return new LabelKey(Arrays.asList(picked));
    }
}
