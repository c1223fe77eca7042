package org.crabro.content.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Documents of types with random fields of every kind, from one seed. */
final class Shelf {
    private static final List<String> TENSORS =
            List.of(
                    "tensor<float>(x[4])",
                    "tensor(x[2],y[3])",
                    "tensor<int8>(x[5])",
                    "tensor<bfloat16>(x[3])",
                    "tensor(a{})",
                    "tensor<float>(a{},x[2])",
                    "tensor<int8>(a{},b{})",
                    "tensor()");

    private static final List<String> TEXTS =
            List.of(
                    "",
                    "plain",
                    "größer",
                    "\"quoted\" \\ back",
                    "lines\nand\ttabs\r\f\b",
                    "\ud83d\ude00 smile / slash",
                    "\u007f \u2028 </script>",
                    "\u4e2d\u6587");

    private static final double[] NUMBERS = {
        0,
        -0.0,
        1,
        -1,
        0.1,
        1e7,
        -1e7,
        9_999_999,
        1e-3,
        9.9e-4,
        123_456.789,
        1e21,
        4.9E-324,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    private final Random random;

    Shelf(Random random) {
        this.random = random;
    }

    /** Returns a type with some fields of every kind; {@code size} is a number. */
    DocumentType type(String name) {
        var fields = new ArrayList<Field>();
        fields.add(new Field("size", Primitive.INT, true));
        fields.add(new Field("title", Primitive.STRING, true));
        for (int i = random.nextInt(6) + 2; i > 0; i--) {
            fields.add(new Field("field" + i, fieldType(3), false));
        }
        return new DocumentType(name, fields);
    }

    private FieldType fieldType(int depth) {
        return switch (random.nextInt(depth > 0 ? 11 : 6)) {
            case 0 -> Primitive.BOOL;
            case 1 -> Primitive.LONG;
            case 2 -> Primitive.FLOAT;
            case 3 -> Primitive.DOUBLE;
            case 4 -> Primitive.INT;
            case 5 -> random.nextBoolean() ? Primitive.STRING : Primitive.RAW;
            case 6 -> new FieldType.ArrayOf(fieldType(depth - 1));
            case 7 -> new FieldType.WeightedSetOf(keyType());
            case 8 -> new FieldType.MapOf(keyType(), fieldType(depth - 1));
            case 9 ->
                    depth == 3
                            ? new FieldType.ReferenceOf("book")
                            : new FieldType.ArrayOf(Primitive.URI);
            default -> depth == 3 ? tensorType() : structType(depth);
        };
    }

    private FieldType tensorType() {
        return random.nextInt(3) == 0
                ? structType(3)
                : new FieldType.TensorOf(
                        TensorType.parse(TENSORS.get(random.nextInt(TENSORS.size()))));
    }

    private FieldType structType(int depth) {
        return new FieldType.StructOf(
                "s" + random.nextInt(1_000),
                List.of(
                        new Field("a\"b", Primitive.STRING, false),
                        new Field("b", fieldType(depth - 1), false),
                        new Field("c", Primitive.DOUBLE, false)));
    }

    private FieldType keyType() {
        return List.of(Primitive.STRING, Primitive.INT, Primitive.LONG).get(random.nextInt(3));
    }

    /** Returns an id in one of a few groups, with a number, or plain. */
    DocumentId id(String type, int users) {
        LocationKey key =
                switch (random.nextInt(4)) {
                    case 0 -> new LocationKey.Plain();
                    case 1 -> new LocationKey.Numbered(random.nextInt(5));
                    default -> new LocationKey.Group("g" + random.nextInt(4));
                };
        return new DocumentId(
                random.nextInt(8) == 0 ? "other" : "test",
                type,
                key,
                "d\"" + random.nextInt(users));
    }

    /** Returns a document with some of its type's fields. */
    Document document(DocumentId id, DocumentType type) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        for (Field field : type.fields()) {
            if (random.nextInt(5) > 0) {
                fields.put(
                        field.name(),
                        field.name().equals("size")
                                ? new FieldValue.IntValue(random.nextInt(100))
                                : value(field.type()));
            }
        }
        return new Document(id, fields);
    }

    private FieldValue value(FieldType type) {
        return switch (type) {
            case Primitive primitive -> primitive(primitive);
            case FieldType.ArrayOf(var element) -> {
                var elements = new ArrayList<FieldValue>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(element));
                }
                yield new FieldValue.ArrayValue(elements);
            }
            case FieldType.WeightedSetOf(var element) -> {
                var weights = new LinkedHashMap<FieldValue, Integer>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    weights.put(value(element), random.nextInt());
                }
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldType.MapOf(var key, var value) -> {
                var values = new LinkedHashMap<FieldValue, FieldValue>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    values.put(value(key), value(value));
                }
                yield new FieldValue.MapValue(values);
            }
            case FieldType.StructOf(_, var fields) -> {
                var set = new LinkedHashMap<String, FieldValue>();
                for (Field field : fields) {
                    if (random.nextBoolean()) {
                        set.put(field.name(), value(field.type()));
                    }
                }
                yield new FieldValue.StructValue(set);
            }
            case FieldType.ReferenceOf _ -> new FieldValue.StringValue(id("book", 10).toString());
            case FieldType.TensorOf(var tensor) -> tensor(tensor);
        };
    }

    private FieldValue primitive(Primitive type) {
        return switch (type) {
            case STRING, URI, RAW -> new FieldValue.StringValue(text());
            case BOOL -> new FieldValue.BoolValue(random.nextBoolean());
            case INT ->
                    new FieldValue.IntValue(
                            random.nextBoolean() ? random.nextInt() : random.nextInt(12) - 6);
            case LONG ->
                    new FieldValue.LongValue(
                            switch (random.nextInt(4)) {
                                case 0 -> Long.MIN_VALUE;
                                case 1 -> Long.MAX_VALUE;
                                case 2 -> random.nextLong() >> random.nextInt(64);
                                default -> random.nextInt(1_000);
                            });
            case FLOAT -> new FieldValue.FloatValue((float) number());
            case DOUBLE -> new FieldValue.DoubleValue(number());
            default -> throw new AssertionError("no values of " + type);
        };
    }

    private String text() {
        String text = TEXTS.get(random.nextInt(TEXTS.size()));
        return random.nextInt(10) == 0 ? text.repeat(random.nextInt(200)) : text;
    }

    private double number() {
        return random.nextBoolean()
                ? NUMBERS[random.nextInt(NUMBERS.length)]
                : random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
    }

    private FieldValue tensor(TensorType type) {
        if (type.isDense()) {
            return new FieldValue.TensorValue(DenseTensor.of(type, cells(type)));
        }
        Map<List<String>, double[]> subspaces = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            var labels = new ArrayList<String>();
            for (int mapped = type.mappedCount(); mapped > 0; mapped--) {
                labels.add("l\"" + random.nextInt(4));
            }
            subspaces.put(labels, cells(type));
        }
        return new FieldValue.MixedTensorValue(MixedTensor.of(type, subspaces));
    }

    private double[] cells(TensorType type) {
        var cells = new double[type.subspaceSize()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] =
                    type.cellType() == CellType.INT8
                            ? random.nextInt(256) - 128
                            : type.cellType() == CellType.DOUBLE ? number() : random.nextInt(999);
            if (type.cellType() == CellType.FLOAT) {
                cells[i] = (float) (cells[i] / 7);
            }
        }
        return cells;
    }
}
