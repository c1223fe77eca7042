package org.crabro.ranking.tensor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Builds a tensor cell by cell. Cells of a subspace that are not set are 0. For one thread. */
public final class TensorBuilder {
    private final TensorType type;
    private final Map<LabelKey, double[]> subspaces = new LinkedHashMap<>();
    private final int size;

    public TensorBuilder(TensorType type) {
        this.type = type;
        this.size = type.subspaceSize();
        if (type.isDense()) {
            subspaces.put(new LabelKey(List.of()), new double[TensorLimitException.cells(1, size)]);
        }
    }

    /**
     * Sets a cell.
     *
     * @param address one label per dimension of the type, in its order; numbers in range for
     *     indexed ones
     */
    public void set(List<String> address, double value) {
        String[] labels = new String[type.mappedCount()];
        int cell = 0;
        int next = 0;
        for (int i = 0; i < address.size(); i++) {
            switch (type.dimensions().get(i)) {
                case Dimension.Mapped _ -> labels[next++] = address.get(i);
                case Dimension.Indexed(_, int length) ->
                        cell = cell * length + Integer.parseInt(address.get(i));
            }
        }
        var key = new LabelKey(List.of(labels));
        double[] subspace = subspaces.get(key);
        if (subspace == null) {
            TensorLimitException.cells(subspaces.size() + 1L, size);
            subspace = new double[size];
            subspaces.put(key, subspace);
        }
        subspace[cell] = value;
    }

    /** Returns the tensor with the set cells. */
    public TensorData build() {
        String[][] labels = new String[subspaces.size()][];
        double[] cells = new double[labels.length * size];
        int next = 0;
        for (Map.Entry<LabelKey, double[]> subspace : subspaces.entrySet()) {
            labels[next] = subspace.getKey().labels().toArray(String[]::new);
            System.arraycopy(subspace.getValue(), 0, cells, next * size, size);
            next++;
        }
        return TensorData.mixed(type, labels, cells);
    }
}
