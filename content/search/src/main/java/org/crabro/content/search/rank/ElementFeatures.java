package org.crabro.content.search.rank;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/** Features computed from the elements of a field, which are compared as texts. */
final class ElementFeatures {
    private ElementFeatures() {}

    /**
     * The dot product of elements and query: the sum, over the elements that a query names, of the
     * product of their weights. An element of an array is named by its index, and its value is its
     * weight.
     *
     * @param field by {@link org.crabro.content.search.query.QueryFields}
     * @param undefined the value of an element without a value
     */
    record Product(int field, Map<String, Double> weights, Undefined undefined)
            implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            Column column = scan.column(field).orElse(null);
            var text = new TextReader();
            for (int i = 0; i < count; i++) {
                into[i] = column == null ? 0 : sum(column, rows[i], text);
            }
        }

        private double sum(Column column, int row, TextReader text) {
            if (!column.presence().has(row)) {
                return 0;
            }
            double sum = 0;
            if (column instanceof Column.WeightedSets sets) {
                for (int at = sets.first(row); at < sets.first(row + 1); at++) {
                    sum +=
                            weights.getOrDefault(name(sets.elements(), at, text), 0.0)
                                    * sets.weights().values().get(Layouts.INT, (long) at << 2);
                }
            } else if (column instanceof Column.Arrays arrays) {
                int first = arrays.first(row);
                for (int at = first; at < arrays.first(row + 1); at++) {
                    double weight = weights.getOrDefault(Integer.toString(at - first), 0.0);
                    sum +=
                            weight == 0
                                    ? 0
                                    : weight
                                            * AttributeElement.element(
                                                    arrays.elements(), at, text, undefined);
                }
            }
            return sum;
        }
    }

    /**
     * A tensor with elements as labels.
     *
     * @param field by {@link org.crabro.content.search.query.QueryFields}
     * @param undefined the label of an element without a value
     */
    record Labels(int field, TensorType type, Undefined undefined) implements FeatureSource {
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
            var cells = new LinkedHashMap<String, Double>();
            var text = new TextReader();
            switch (column) {
                case Column.WeightedSets sets -> {
                    for (int at = sets.first(row); at < sets.first(row + 1); at++) {
                        double weight = sets.weights().values().get(Layouts.INT, (long) at << 2);
                        cells.put(name(sets.elements(), at, text), weight);
                    }
                }
                case Column.Arrays arrays -> {
                    for (int at = arrays.first(row); at < arrays.first(row + 1); at++) {
                        cells.put(name(arrays.elements(), at, text, undefined), 1.0);
                    }
                }
                case Column.Texts _, Column.Numbers _, Column.Booleans _ ->
                        cells.put(name(column, row, text), 1.0);
                case Column.Nested _, Column.DenseTensors _ -> {}
            }
            return TensorData.mixed(
                    type,
                    cells.keySet().stream()
                            .map(label -> new String[] {label})
                            .toArray(String[][]::new),
                    cells.values().stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    /** Returns an element as a label; or the one that is used if it has no value. */
    static String name(Column elements, int at, TextReader text, Undefined undefined) {
        return elements.presence().has(at) ? name(elements, at, text) : undefined.label();
    }

    static String name(Column elements, int at, TextReader text) {
        if (elements instanceof Column.Texts texts) {
            text.read(texts, at);
            byte[] bytes =
                    text.bytes()
                            .asSlice(text.offset(), text.length())
                            .toArray(ValueLayout.JAVA_BYTE);
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (elements instanceof Column.Numbers numbers
                && numbers.kind() == Column.NumberKind.LONG) {
            return Long.toString(AttributeElement.whole(numbers, at));
        }
        double number = AttributeElement.element(elements, at, text);
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /**
     * Parses a property that lists labels of a tensor. {@code [a b]} and {@code (a b)} have the
     * value 1 for each label, {@code {a:1,b:2}} and {@code (a:1,b:2)} have weights.
     *
     * @throws QueryRejectedException if the syntax is another one
     */
    static TensorData listed(String property, String written, boolean weighted, TensorType type) {
        var cells = new LinkedHashMap<String, Double>();
        String text = written.strip();
        if (text.isEmpty()) {
            return TensorData.empty(type);
        }
        if (weighted) {
            cells.putAll(new TreeMap<>(weights(property, written)));
        } else {
            if (!text.matches("(?s)\\[.*]|\\(.*\\)")) {
                throw new QueryRejectedException(
                        "rank property %s: expected [label ...] but found '%s'"
                                .formatted(property, written));
            }
            for (String each : text.substring(1, text.length() - 1).strip().split("[\\s,]+", -1)) {
                if (!each.isEmpty()) {
                    cells.put(each, 1.0);
                }
            }
        }
        var labelled = new LinkedHashMap<List<String>, Double>();
        cells.forEach((label, cell) -> labelled.put(List.of(label), cell));
        return StructCells.tensor(type, labelled);
    }

    /** Returns the cells of a tensor of one dimension, by label or index. */
    static Map<String, Double> weights(TensorData tensor) {
        var weights = new HashMap<String, Double>();
        for (int subspace = 0; subspace < tensor.subspaceCount(); subspace++) {
            for (int i = 0; i < tensor.subspaceSize(); i++) {
                weights.put(
                        tensor.type().isDense() ? Integer.toString(i) : tensor.labels(subspace)[0],
                        tensor.cells()[subspace * tensor.subspaceSize() + i]);
            }
        }
        return weights;
    }

    /**
     * Parses the weights of a property: {@code {a:1,b:2}} or {@code [1 2 3]}.
     *
     * @throws QueryRejectedException if the syntax is another one
     */
    static Map<String, Double> weights(String property, String written) {
        String text = written.strip();
        boolean isList = text.startsWith("[") || (text.startsWith("(") && !text.contains(":"));
        String inside = text.length() < 2 ? "" : text.substring(1, text.length() - 1).strip();
        var weights = new HashMap<String, Double>();
        if (inside.isEmpty() && text.length() >= 2) {
            return weights;
        }
        try {
            int index = 0;
            for (String each : inside.split(isList ? "[\\s,]+" : ",", -1)) {
                int colon = each.lastIndexOf(':');
                if (isList) {
                    weights.put(Integer.toString(index++), Double.parseDouble(each.strip()));
                } else {
                    weights.put(
                            each.substring(0, colon).strip(),
                            Double.parseDouble(each.substring(colon + 1).strip()));
                }
            }
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new QueryRejectedException(
                    "rank property %s: expected {key:weight,...} or [weight ...] but found '%s'"
                            .formatted(property, written));
        }
        return weights;
    }
}
