package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.tensor.TensorType;

/**
 * The forms of values in JSON, of one made-up document type. The tests of all readers and writers
 * of values check the same table, {@code value-forms.tsv}.
 *
 * <p>A line has four columns: the field, whose name is the text of its type; the JSON; the {@link
 * Handling}; and the value as {@link FieldValueWriter} writes it in its default form. The last
 * column is empty if the field is not set, and is a part of the message if the JSON is rejected.
 */
public final class FormsTable {
    /** How the JSON of a value is handled. */
    public enum Handling {
        /** It is encoded as a row, straight from its bytes. */
        ROW,
        /** It is read into a value; the encoder of rows leaves it to this reader. */
        VALUES,
        /** It is rejected. */
        ERROR
    }

    /**
     * A line of the table.
     *
     * @param text the value as it is written, or a part of the message
     */
    public record ValueLine(String field, String json, Handling handling, String text) {
        /** Returns the JSON of a document's fields. */
        public String fields() {
            return "{\"" + field + "\":" + json + "}";
        }

        /** Returns the fields of the document, as the reader of values reads them. */
        public Map<String, FieldValue> read() {
            String body = "{\"fields\":" + fields() + "}";
            return READER.read(
                            ID,
                            new ByteArrayInputStream(body.getBytes(UTF_8)),
                            LeftOutCells.UNCOUNTED)
                    .document()
                    .fields();
        }
    }

    private static final StructOf PAIR =
            new StructOf(
                    "pair",
                    List.of(
                            new Field("a", Primitive.STRING, true),
                            new Field("b", Primitive.INT, true)));

    private static final StructOf OUTER =
            new StructOf(
                    "outer",
                    List.of(new Field("p", PAIR, true), new Field("ps", new ArrayOf(PAIR), true)));

    private static final ReferenceOf REFERENCE = new ReferenceOf("artist");

    private static final MapOf COUNTS = new MapOf(Primitive.STRING, Primitive.INT);

    private static final TensorOf VECTOR = tensor("tensor<float>(x[2])");

    private static final TensorOf LABELS = tensor("tensor<float>(k{})");

    private static final List<FieldType> PARTS =
            List.of(
                    REFERENCE,
                    StructOf.POSITION,
                    PAIR,
                    VECTOR,
                    COUNTS,
                    new ArrayOf(Primitive.BOOL),
                    new WeightedSetOf(Primitive.STRING));

    private static final List<FieldType> MAPS =
            List.of(
                    COUNTS,
                    new MapOf(Primitive.STRING, Primitive.STRING),
                    new MapOf(Primitive.STRING, Primitive.DOUBLE),
                    new MapOf(Primitive.STRING, PAIR),
                    new MapOf(Primitive.STRING, COUNTS),
                    new MapOf(Primitive.STRING, LABELS),
                    new MapOf(Primitive.INT, PAIR),
                    new MapOf(Primitive.INT, new ArrayOf(Primitive.STRING)),
                    new MapOf(Primitive.BOOL, Primitive.STRING),
                    new MapOf(Primitive.LONG, Primitive.LONG),
                    new MapOf(Primitive.BYTE, Primitive.BYTE),
                    new MapOf(Primitive.FLOAT, Primitive.STRING),
                    new MapOf(Primitive.DOUBLE, Primitive.STRING),
                    new MapOf(Primitive.FLOAT16, Primitive.FLOAT16),
                    new MapOf(Primitive.URI, Primitive.URI),
                    new MapOf(Primitive.RAW, Primitive.RAW),
                    new MapOf(Primitive.PREDICATE, Primitive.PREDICATE));

    private static final List<FieldType> TENSORS =
            List.of(
                    VECTOR,
                    LABELS,
                    tensor("tensor()"),
                    tensor("tensor(x[2])"),
                    tensor("tensor(x[40])"),
                    tensor("tensor<bfloat16>(x[2])"),
                    tensor("tensor<int8>(x[2],y[2])"),
                    tensor("tensor<int8>(k{})"),
                    tensor("tensor(k{},m{})"),
                    tensor("tensor<bfloat16>(k{},x[2])"),
                    tensor("tensor<int8>(k{},x[2])"),
                    tensor("tensor<float>(k{},m{},x[2])"),
                    tensor("tensor(k{},x[40])"));

    /** The type of the documents in the table. */
    public static final DocumentType TYPE = type();

    /** The id of the documents in the table. */
    public static final DocumentId ID = DocumentId.parse("id:ns:made::1");

    private static final DocumentReader READER = new DocumentReader(TYPE);

    private FormsTable() {}

    private static TensorOf tensor(String type) {
        return new TensorOf(TensorType.parse(type));
    }

    private static DocumentType type() {
        Stream<FieldType> primitives = Arrays.stream(Primitive.values());
        Stream<FieldType> sets = Arrays.stream(Primitive.values()).map(WeightedSetOf::new);
        Stream<FieldType> arrays =
                Stream.concat(Arrays.stream(Primitive.values()), PARTS.stream()).map(ArrayOf::new);
        return new DocumentType(
                "made",
                Stream.of(
                                primitives,
                                Stream.of(REFERENCE, StructOf.POSITION, PAIR, OUTER),
                                arrays,
                                sets,
                                MAPS.stream(),
                                TENSORS.stream())
                        .flatMap(types -> types)
                        .map(type -> new Field(type.text(), type, true))
                        .toList());
    }

    /** Returns the lines of the table. */
    public static List<ValueLine> lines() {
        try (InputStream table = FormsTable.class.getResourceAsStream("value-forms.tsv")) {
            String text = new String(Objects.requireNonNull(table).readAllBytes(), UTF_8);
            return text.lines().skip(1).map(FormsTable::line).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines of values that are accepted and set. */
    public static List<ValueLine> values() {
        return lines().stream()
                .filter(line -> line.handling() != Handling.ERROR && !line.text().isEmpty())
                .toList();
    }

    private static ValueLine line(String text) {
        String[] columns = text.split("\t", -1);
        if (columns.length != 4) {
            throw new IllegalArgumentException("not four columns: " + text);
        }
        Handling handling =
                switch (columns[2]) {
                    case "row" -> Handling.ROW;
                    case "values" -> Handling.VALUES;
                    case "error" -> Handling.ERROR;
                    default -> throw new IllegalArgumentException("no handling: " + text);
                };
        return new ValueLine(columns[0], columns[1], handling, columns[3]);
    }
}
