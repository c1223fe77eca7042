package org.crabro.protocol.encoding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of documents and values in messages. Unlike in rows, each value has a tag with its
 * type.
 */
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
    private static final int MIXED_TENSOR = 11;

    private static final int GROUP = 0;
    private static final int NUMBER = 1;
    private static final int PLAIN = 2;

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

    /** Writes a group or a number. */
    static void write(MessageWriter out, LocationKey group) {
        switch (group) {
            case LocationKey.Group(var name) -> {
                out.putByte(GROUP);
                out.putText(name);
            }
            case LocationKey.Numbered(var value) -> {
                out.putByte(NUMBER);
                out.putLong(value);
            }
            case LocationKey.Plain() -> out.putByte(PLAIN);
        }
    }

    /** Reads a group or a number. */
    static LocationKey readGroup(MessageReader in) {
        return key(in, in.readByte());
    }

    /** Reads a group, a number, or neither. */
    static LocationKey readKey(MessageReader in) {
        int tag = in.readByte();
        return tag == PLAIN ? new LocationKey.Plain() : key(in, tag);
    }

    private static LocationKey key(MessageReader in, int tag) {
        return switch (tag) {
            case GROUP -> new LocationKey.Group(in.readText());
            case NUMBER -> new LocationKey.Numbered(in.readLong());
            default -> throw in.unknown("the tag of a group", tag);
        };
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
            case FieldValue.MixedTensorValue(var tensor) -> {
                out.putByte(MIXED_TENSOR);
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
            case MIXED_TENSOR -> new FieldValue.MixedTensorValue(readMixedTensor(in));
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
            writeCell(out, tensor.type().cellType(), tensor.cell(i));
        }
    }

    static void write(MessageWriter out, MixedTensor tensor) {
        out.putText(tensor.type().toString());
        List<List<String>> addresses = tensor.addresses();
        int size = tensor.type().subspaceSize();
        out.putInt(addresses.size());
        for (int subspace = 0; subspace < addresses.size(); subspace++) {
            addresses.get(subspace).forEach(out::putText);
            for (int i = 0; i < size; i++) {
                writeCell(out, tensor.type().cellType(), tensor.cell(subspace, i));
            }
        }
    }

    private static void writeCell(MessageWriter out, CellType type, double cell) {
        switch (type) {
            case DOUBLE -> out.putDouble(cell);
            case FLOAT -> out.putFloat((float) cell);
            case BFLOAT16 -> out.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
            case INT8 -> out.putByte((int) cell);
        }
    }

    static DenseTensor readTensor(MessageReader in) {
        TensorType type = in.readChecked("a tensor type", () -> TensorType.parse(in.readText()));
        if (!type.isDense()) {
            throw new WireFormatException(in.offset(), "a dense type", type.toString());
        }
        return DenseTensor.of(type, readCells(in, type));
    }

    static MixedTensor readMixedTensor(MessageReader in) {
        TensorType type = in.readChecked("a tensor type", () -> TensorType.parse(in.readText()));
        if (type.isDense()) {
            throw new WireFormatException(
                    in.offset(), "a type with a mapped dimension", type.toString());
        }
        int count = in.readInt();
        Map<List<String>, double[]> subspaces = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            int start = in.offset();
            List<String> address = new ArrayList<>();
            for (int dimension = 0; dimension < type.mappedCount(); dimension++) {
                address.add(in.readText());
            }
            if (subspaces.put(address, readCells(in, type)) != null) {
                throw new WireFormatException(start, "labels that are new", address + " again");
            }
        }
        return MixedTensor.of(type, subspaces);
    }

    /** Reads the cells of a subspace; for a dense type, all cells. */
    private static double[] readCells(MessageReader in, TensorType type) {
        int count = type.subspaceSize();
        if ((long) count * type.cellType().size() > in.remaining()) {
            throw new WireFormatException(
                    in.offset(),
                    "%d cells of %s".formatted(count, type),
                    "%d bytes left".formatted(in.remaining()));
        }
        var cells = new double[count];
        for (int i = 0; i < count; i++) {
            cells[i] =
                    switch (type.cellType()) {
                        case DOUBLE -> in.readDouble();
                        case FLOAT -> in.readFloat();
                        case BFLOAT16 -> Float.intBitsToFloat(in.readShort() << Short.SIZE);
                        case INT8 -> (byte) in.readByte();
                    };
        }
        return cells;
    }
}
