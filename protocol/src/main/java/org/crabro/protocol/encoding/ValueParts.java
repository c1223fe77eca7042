package org.crabro.protocol.encoding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Documents and values inside messages; unlike in rows, a value says of which type it is. */
final class ValueParts {
    private static final int STRING = 0;
    private static final int BOOL = 1;
    private static final int INT = 2;
    private static final int LONG = 3;
    private static final int FLOAT = 4;
    private static final int DOUBLE = 5;
    private static final int ARRAY = 6;
    private static final int TENSOR = 7;
    private static final int WEIGHTED_SET = 8;
    private static final int MAP = 9;
    private static final int STRUCT = 10;

    private ValueParts() {}

    static void write(MessageWriter out, Document document) {
        write(out, document.id());
        out.putMap(document.fields(), value -> write(out, value));
    }

    static Document readDocument(MessageReader in) {
        return new Document(readId(in), in.readMap(() -> readValue(in)));
    }

    static void write(MessageWriter out, DocumentId id) {
        out.putText(id.toString());
    }

    static DocumentId readId(MessageReader in) {
        return in.readChecked("a document id", () -> DocumentId.parse(in.readText()));
    }

    static void write(MessageWriter out, FieldValue value) {
        switch (value) {
            case FieldValue.StringValue(var text) -> {
                out.putByte(STRING);
                out.putText(text);
            }
            case FieldValue.BoolValue(var truth) -> {
                out.putByte(BOOL);
                out.putBoolean(truth);
            }
            case FieldValue.IntValue(var number) -> {
                out.putByte(INT);
                out.putInt(number);
            }
            case FieldValue.LongValue(var number) -> {
                out.putByte(LONG);
                out.putLong(number);
            }
            case FieldValue.FloatValue(var number) -> {
                out.putByte(FLOAT);
                out.putFloat(number);
            }
            case FieldValue.DoubleValue(var number) -> {
                out.putByte(DOUBLE);
                out.putDouble(number);
            }
            case FieldValue.ArrayValue(var elements) -> {
                out.putByte(ARRAY);
                out.putList(elements, element -> write(out, element));
            }
            case FieldValue.WeightedSetValue(var weights) -> {
                out.putByte(WEIGHTED_SET);
                out.putList(
                        List.copyOf(weights.entrySet()),
                        entry -> {
                            write(out, entry.getKey());
                            out.putInt(entry.getValue());
                        });
            }
            case FieldValue.MapValue(var values) -> {
                out.putByte(MAP);
                out.putList(
                        List.copyOf(values.entrySet()),
                        entry -> {
                            write(out, entry.getKey());
                            write(out, entry.getValue());
                        });
            }
            case FieldValue.StructValue(var fields) -> {
                out.putByte(STRUCT);
                out.putMap(fields, field -> write(out, field));
            }
            case FieldValue.TensorValue(var tensor) -> {
                out.putByte(TENSOR);
                write(out, tensor);
            }
        }
    }

    static FieldValue readValue(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case STRING -> new FieldValue.StringValue(in.readText());
            case BOOL -> new FieldValue.BoolValue(in.readBoolean());
            case INT -> new FieldValue.IntValue(in.readInt());
            case LONG -> new FieldValue.LongValue(in.readLong());
            case FLOAT -> new FieldValue.FloatValue(in.readFloat());
            case DOUBLE -> new FieldValue.DoubleValue(in.readDouble());
            case ARRAY ->
                    new FieldValue.ArrayValue(
                            in.readNested(() -> in.readList(() -> readValue(in))));
            case WEIGHTED_SET -> new FieldValue.WeightedSetValue(in.readNested(() -> weights(in)));
            case MAP -> new FieldValue.MapValue(in.readNested(() -> values(in)));
            case STRUCT ->
                    new FieldValue.StructValue(
                            in.readNested(() -> in.readMap(() -> readValue(in))));
            case TENSOR -> new FieldValue.TensorValue(readTensor(in));
            default -> throw in.unknown("the tag of a value", tag);
        };
    }

    private static Map<FieldValue, Integer> weights(MessageReader in) {
        Map<FieldValue, Integer> weights = new LinkedHashMap<>();
        in.readList(() -> {
            int start = in.offset();
            FieldValue element = readValue(in);
            return isNew(start, weights.put(element, in.readInt()), element);
        });
        return weights;
    }

    private static Map<FieldValue, FieldValue> values(MessageReader in) {
        Map<FieldValue, FieldValue> values = new LinkedHashMap<>();
        in.readList(() -> {
            int start = in.offset();
            FieldValue key = readValue(in);
            return isNew(start, values.put(key, readValue(in)), key);
        });
        return values;
    }

    private static boolean isNew(int start, @Nullable Object before, FieldValue key) {
        if (before != null) {
            throw new WireFormatException(start, "a key that is new", key + " again");
        }
        return true;
    }

    static void write(MessageWriter out, DenseTensor tensor) {
        out.putText(tensor.type().toString());
        for (int i = 0; i < tensor.size(); i++) {
            double cell = tensor.cell(i);
            switch (tensor.type().cellType()) {
                case DOUBLE -> out.putDouble(cell);
                case FLOAT -> out.putFloat((float) cell);
                case BFLOAT16 -> out.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
                case INT8 -> out.putByte((int) cell);
            }
        }
    }

    static DenseTensor readTensor(MessageReader in) {
        TensorType type = in.readChecked("a tensor type", () -> TensorType.parse(in.readText()));
        int start = in.offset();
        if (!type.isDense() || (long) type.cellCount() * type.cellType().size() > in.remaining()) {
            throw new WireFormatException(
                    start,
                    "the cells of a dense type",
                    "%s with %d bytes left".formatted(type, in.remaining()));
        }
        double[] cells = new double[type.cellCount()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] =
                    switch (type.cellType()) {
                        case DOUBLE -> in.readDouble();
                        case FLOAT -> in.readFloat();
                        case BFLOAT16 -> Float.intBitsToFloat(in.readShort() << Short.SIZE);
                        case INT8 -> (byte) in.readByte();
                    };
        }
        return DenseTensor.of(type, cells);
    }
}
