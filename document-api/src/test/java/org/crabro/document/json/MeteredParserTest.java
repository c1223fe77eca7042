package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short JSON that becomes large values is refused before the values are made. */
class MeteredParserTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:note::1");
    private static final int COUNT = 300_000;

    private static final DocumentType TYPE =
            new DocumentType(
                    "note",
                    List.of(
                            field("tags", new FieldType.ArrayOf(FieldType.Primitive.STRING)),
                            field("years", new FieldType.ArrayOf(FieldType.Primitive.INT)),
                            field(
                                    "weights",
                                    new FieldType.WeightedSetOf(FieldType.Primitive.STRING)),
                            field(
                                    "names",
                                    new FieldType.MapOf(
                                            FieldType.Primitive.STRING,
                                            FieldType.Primitive.STRING)),
                            field("places", new FieldType.ArrayOf(FieldType.StructOf.POSITION)),
                            field(
                                    "vector",
                                    new FieldType.TensorOf(TensorType.parse("tensor(x{})")))));

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tags    | [            | ""                 | ]
                    years   | [            | 1                  | ]
                    weights | {            | "#":1              | }
                    names   | {            | "#":""             | }
                    names   | [            | {"key":"#","value":""} | ]
                    places  | [            | {"lat":1,"lng":2}  | ]
                    vector  | {            | "#":1              | }
                    vector  | {"cells":{   | "#":1              | }}
                    vector  | {"cells":[   | {"address":{"x":"#"},"value":1} | ]}
                    """)
    void rejectsManySmallPartsOfAValue(String field, String open, String part, String close) {
        var memory = new RequestMemory(4 << 20);
        String value = open + parts(part) + close;
        byte[] put = "{\"fields\":{\"%s\":%s}}".formatted(field, value).getBytes(UTF_8);
        byte[] update =
                "{\"fields\":{\"%s\":{\"assign\":%s}}}".formatted(field, value).getBytes(UTF_8);
        byte[] line =
                "{\"put\":\"%s\",\"fields\":{\"%s\":%s}}"
                        .formatted(ID, field, value)
                        .getBytes(UTF_8);

        rejects(
                memory,
                () ->
                        new DocumentReader(TYPE, false)
                                .read(ID, new ByteArrayInputStream(put), LeftOutCells.UNCOUNTED));
        rejects(
                memory,
                () ->
                        new UpdateReader(TYPE, false)
                                .read(new ByteArrayInputStream(update), LeftOutCells.UNCOUNTED));
        rejects(
                memory,
                () ->
                        new OperationReader(List.of(TYPE), false)
                                .read(line, 0, line.length, LeftOutCells.UNCOUNTED));
    }

    private static String parts(String part) {
        var parts = new StringBuilder(part.replace("#", "0"));
        for (int i = 1; i < COUNT; i++) {
            parts.append(',').append(part.replace("#", Integer.toString(i)));
        }
        return parts.toString();
    }

    private static void rejects(RequestMemory memory, Runnable reading) {
        try (MemoryShare share = memory.open()) {
            assertThatExceptionOfType(MemoryRefusedException.class)
                    .isThrownBy(() -> share.run(reading))
                    .matches(MemoryRefusedException::isTooLarge);
        }
        assertThat(memory.used()).isZero();
    }

    @Test
    void chargesNothingForASmallDocument() {
        var memory = new RequestMemory(4 << 20);
        byte[] put = "{\"fields\":{\"tags\":[\"a\",\"b\"]}}".getBytes(UTF_8);
        try (MemoryShare share = memory.open()) {
            share.run(() ->
                    new DocumentReader(TYPE, false)
                            .read(ID, new ByteArrayInputStream(put), LeftOutCells.UNCOUNTED));

            assertThat(memory.used()).isZero();
        }
    }
}
