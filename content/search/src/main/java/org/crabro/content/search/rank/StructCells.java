package org.crabro.content.search.rank;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.document.Field;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A tensor with a cell for each struct of an array. Of several structs with the same labels the
 * last one is used. A struct without all of its labels is left out.
 *
 * @param field by {@link org.crabro.content.search.query.QueryFields}
 * @param type its dimensions have the names of the members that are labels
 * @param value the member that is the cell; 0 if a struct does not have it
 */
record StructCells(int field, TensorType type, String value) implements FeatureSource {
    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        throw new IllegalStateException(this + " is no number");
    }

    @Override
    public TensorData tensor(BlockScan scan, int row) {
        Column column = scan.column(field).orElse(null);
        if (!(column instanceof Column.Arrays arrays
                && arrays.elements() instanceof Column.Structs structs
                && arrays.presence().has(row))) {
            return TensorData.empty(type);
        }
        List<Optional<Column>> keys =
                type.dimensions().stream()
                        .map(Dimension::name)
                        .map(name -> part(structs, name))
                        .toList();
        Optional<Column> values = part(structs, value);
        if (keys.stream().anyMatch(Optional::isEmpty)) {
            return TensorData.empty(type);
        }
        List<Column> labels = keys.stream().map(Optional::orElseThrow).toList();
        return LabelMemory.made(arrays, row, () -> labelled(arrays, row, labels, values));
    }

    private TensorData labelled(
            Column.Arrays arrays, int row, List<Column> keys, Optional<Column> values) {
        var cells = new LinkedHashMap<List<String>, Double>();
        var text = new TextReader();
        for (int at = arrays.first(row); at < arrays.first(row + 1); at++) {
            int index = at;
            if (keys.stream().allMatch(key -> key.presence().has(index))) {
                List<String> labels =
                        keys.stream().map(key -> ElementFeatures.name(key, index, text)).toList();
                double cell =
                        values.isPresent() && values.get().presence().has(at)
                                ? AttributeElement.element(values.get(), at, text)
                                : 0;
                cells.put(labels, cell);
            }
        }
        return tensor(type, cells);
    }

    private static Optional<Column> part(Column.Structs structs, String name) {
        List<String> names = structs.type().fields().stream().map(Field::name).toList();
        int at = names.indexOf(name);
        return at < 0 ? Optional.empty() : structs.fields().get(at);
    }

    /** Returns a tensor without indexed dimensions, from its cells by labels. */
    static TensorData tensor(TensorType type, Map<List<String>, Double> cells) {
        return TensorData.mixed(
                type,
                cells.keySet().stream()
                        .map(labels -> labels.toArray(String[]::new))
                        .toArray(String[][]::new),
                cells.values().stream().mapToDouble(Double::doubleValue).toArray());
    }
}
