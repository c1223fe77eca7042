package org.crabro.content.storage.block;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Decodes single values of columns for gets, visits and summaries. For one thread. */
public final class ColumnValues {
    private final TextReader texts = new TextReader();

    /** Returns the value of {@code row}; empty if it has none. */
    public Optional<FieldValue> value(Column column, int row) {
        return column.presence().has(row) ? Optional.of(present(column, row)) : Optional.empty();
    }

    private FieldValue present(Column column, int index) {
        return switch (column) {
            case Column.Numbers numbers -> number(numbers, index);
            case Column.Booleans booleans ->
                    new FieldValue.BoolValue(
                            booleans.values().get(ValueLayout.JAVA_BYTE, index) != 0);
            case Column.Texts strings -> text(strings, index);
            case Column.Arrays arrays -> array(arrays, index);
            case Column.WeightedSets sets -> weightedSet(sets, index);
            case Column.Maps maps -> map(maps, index);
            case Column.Structs structs -> struct(structs, index);
            case Column.DenseTensors tensors -> new FieldValue.TensorValue(tensor(tensors, index));
            case Column.MixedTensors tensors ->
                    new FieldValue.MixedTensorValue(mixedTensor(tensors, index));
        };
    }

    private static FieldValue number(Column.Numbers numbers, int row) {
        MemorySegment values = numbers.values();
        return switch (numbers.kind()) {
            case INT -> new FieldValue.IntValue(values.get(INT, 4L * row));
            case LONG -> new FieldValue.LongValue(values.get(LONG, 8L * row));
            case FLOAT ->
                    new FieldValue.FloatValue(Float.intBitsToFloat(values.get(INT, 4L * row)));
            case DOUBLE ->
                    new FieldValue.DoubleValue(Double.longBitsToDouble(values.get(LONG, 8L * row)));
        };
    }

    private FieldValue text(Column.Texts column, int index) {
        texts.read(column, index);
        long from = texts.offset();
        return new FieldValue.StringValue(
                BlockLayout.text(texts.bytes(), from, from + texts.length()));
    }

    private FieldValue array(Column.Arrays arrays, int index) {
        int from = arrays.first(index);
        int end = arrays.first(index + 1);
        var elements = new ArrayList<FieldValue>(end - from);
        for (int i = from; i < end; i++) {
            elements.add(present(arrays.elements(), i));
        }
        return new FieldValue.ArrayValue(elements);
    }

    private FieldValue weightedSet(Column.WeightedSets sets, int index) {
        Map<FieldValue, Integer> weights = new LinkedHashMap<>();
        int end = sets.first(index + 1);
        for (int i = sets.first(index); i < end; i++) {
            int weight = sets.weights().values().get(INT, 4L * i);
            weights.put(present(sets.elements(), i), weight);
        }
        return new FieldValue.WeightedSetValue(weights);
    }

    private FieldValue map(Column.Maps maps, int index) {
        Map<FieldValue, FieldValue> values = new LinkedHashMap<>();
        int end = maps.first(index + 1);
        for (int i = maps.first(index); i < end; i++) {
            values.put(present(maps.keys(), i), present(maps.values(), i));
        }
        return new FieldValue.MapValue(values);
    }

    private FieldValue struct(Column.Structs structs, int index) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        for (int i = 0; i < structs.fields().size(); i++) {
            String name = structs.type().fields().get(i).name();
            structs.fields()
                    .get(i)
                    .flatMap(column -> value(column, index))
                    .ifPresent(set -> fields.put(name, set));
        }
        return new FieldValue.StructValue(fields);
    }

    private static DenseTensor tensor(Column.DenseTensors tensors, int row) {
        return DenseTensor.of(tensors.type(), cells(tensors.type(), tensors.cells(), row, 1));
    }

    private MixedTensor mixedTensor(Column.MixedTensors tensors, int index) {
        int from = tensors.first(index);
        int end = tensors.first(index + 1);
        List<List<String>> addresses = new ArrayList<>(end - from);
        var address = new String[tensors.labels().size()];
        for (int i = from; i < end; i++) {
            for (int label = 0; label < address.length; label++) {
                texts.read(tensors.labels().get(label), i);
                long start = texts.offset();
                address[label] = BlockLayout.text(texts.bytes(), start, start + texts.length());
            }
            addresses.add(List.of(address));
        }
        double[] cells = cells(tensors.type(), tensors.cells(), from, end - from);
        return MixedTensor.ofSorted(tensors.type(), addresses, cells);
    }

    /** Returns the cells of consecutive subspaces; for a dense type, of consecutive values. */
    private static double[] cells(TensorType type, MemorySegment bytes, int first, int count) {
        var cells = new double[Math.multiplyExact(count, type.subspaceSize())];
        int size = type.cellType().size();
        long start = (long) first * type.subspaceSize() * size;
        for (int i = 0; i < cells.length; i++) {
            long at = start + (long) i * size;
            cells[i] =
                    switch (type.cellType()) {
                        case DOUBLE -> Double.longBitsToDouble(bytes.get(LONG, at));
                        case FLOAT -> Float.intBitsToFloat(bytes.get(INT, at));
                        case BFLOAT16 -> Float.intBitsToFloat(bytes.get(SHORT, at) << 16);
                        case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, at);
                    };
        }
        return cells;
    }
}
