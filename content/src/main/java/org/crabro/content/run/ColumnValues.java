package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;
import static org.crabro.content.run.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Optional;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;

/** Decodes single values of columns, for what leaves a block: gets, visits and summaries. */
public final class ColumnValues {
    private ColumnValues() {}

    /** Returns the value of {@code row}, or nothing where it has none. */
    public static Optional<FieldValue> value(Column column, int row) {
        if (!column.presence().has(row)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (column) {
                    case Column.Numbers numbers -> number(numbers, row);
                    case Column.Booleans booleans ->
                            new FieldValue.BoolValue(
                                    booleans.values().get(ValueLayout.JAVA_BYTE, row) != 0);
                    case Column.Texts texts -> text(texts.starts(), texts.bytes(), row);
                    case Column.TextArrays arrays -> array(arrays, row);
                    case Column.DenseTensors tensors ->
                            new FieldValue.TensorValue(tensor(tensors, row));
                });
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

    private static FieldValue text(MemorySegment starts, MemorySegment bytes, int index) {
        return new FieldValue.StringValue(
                EncodedBlock.text(
                        bytes, starts.get(INT, 4L * index), starts.get(INT, 4L * index + 4)));
    }

    private static FieldValue array(Column.TextArrays arrays, int row) {
        var elements = new ArrayList<FieldValue>();
        int end = arrays.firsts().get(INT, 4L * row + 4);
        for (int i = arrays.firsts().get(INT, 4L * row); i < end; i++) {
            elements.add(text(arrays.starts(), arrays.bytes(), i));
        }
        return new FieldValue.ArrayValue(elements);
    }

    private static DenseTensor tensor(Column.DenseTensors tensors, int row) {
        var cells = new double[tensors.type().cellCount()];
        int size = tensors.type().cellType().size();
        long start = (long) row * cells.length * size;
        MemorySegment bytes = tensors.cells();
        for (int i = 0; i < cells.length; i++) {
            long at = start + (long) i * size;
            cells[i] =
                    switch (tensors.type().cellType()) {
                        case DOUBLE -> Double.longBitsToDouble(bytes.get(LONG, at));
                        case FLOAT -> Float.intBitsToFloat(bytes.get(INT, at));
                        case BFLOAT16 -> Float.intBitsToFloat(bytes.get(SHORT, at) << 16);
                        case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, at);
                    };
        }
        return DenseTensor.of(tensors.type(), cells);
    }
}
