package org.crabro.content.search.rank;

import java.util.LinkedHashMap;
import java.util.List;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * A tensor with a cell of 1 for each element of a field, labelled with the element and its index.
 *
 * @param field by {@link org.crabro.content.search.query.QueryFields}
 * @param offsetFirst whether the dimension of indexes is the first one
 * @param undefined the label of an element without a value
 */
record ElementOffsets(int field, TensorType type, boolean offsetFirst, Undefined undefined)
        implements FeatureSource {
    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        throw new IllegalStateException(this + " is no number");
    }

    @Override
    public TensorData tensor(BlockScan scan, int row) {
        Column column = scan.column(field).orElse(null);
        if (column == null || !column.presence().has(row)) {
            return TensorData.empty(type);
        }
        return LabelMemory.made(column, row, () -> labelled(column, row));
    }

    private TensorData labelled(Column column, int row) {
        var cells = new LinkedHashMap<List<String>, Double>();
        var text = new TextReader();
        if (column instanceof Column.Arrays arrays) {
            int first = arrays.first(row);
            for (int at = first; at < arrays.first(row + 1); at++) {
                cells.put(
                        labels(
                                ElementFeatures.name(arrays.elements(), at, text, undefined),
                                at - first),
                        1.0);
            }
        } else {
            cells.put(labels(ElementFeatures.name(column, row, text), 0), 1.0);
        }
        return StructCells.tensor(type, cells);
    }

    private List<String> labels(String element, int offset) {
        String place = Integer.toString(offset);
        return offsetFirst ? List.of(place, element) : List.of(element, place);
    }
}
