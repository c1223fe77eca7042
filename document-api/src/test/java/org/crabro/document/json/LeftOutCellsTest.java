package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeftOutCellsTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:item::1");
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            field("dense", "tensor<float>(x[4])"),
                            field("sparse", "tensor<float>(k{})"),
                            field("mixed", "tensor<float>(k{},x[4])"),
                            field("large", "tensor<int8>(k{},x[1000000])")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # field | value                                                                 | cells
                    dense   | [1,2,3,4]                                                             | 0
                    dense   | "3f8000003f8000003f8000003f800000"                                    | 0
                    dense   | [{"address":{"x":1},"value":1}]                                       | 3
                    dense   | {"cells":[{"address":{"x":1},"value":1},{"address":{"x":2},"value":1}]} | 3
                    dense   | {}                                                                    | 4
                    dense   | {"cells":[]}                                                          | 4
                    sparse  | {"a":1,"b":2}                                                         | 0
                    sparse  | [{"address":{"k":"a"},"value":1},{"address":{"k":"b"},"value":1}]     | 0
                    mixed   | {"a":[1,2,3,4],"b":[1,2,3,4]}                                         | 0
                    mixed   | {"blocks":[{"address":{"k":"a"},"values":[1,2,3,4]}]}                 | 0
                    mixed   | {"a":[{"address":{"x":1},"value":1}],"b":[1,2,3,4]}                   | 3
                    mixed   | [{"address":{"k":"a","x":1},"value":1}]                               | 3
                    mixed   | [{"address":{"k":"a","x":1},"value":1},{"address":{"k":"a","x":2},"value":1}] | 3
                    mixed   | {"cells":[{"address":{"k":"a","x":1},"value":1},{"address":{"k":"b","x":1},"value":1}]} | 6
                    """)
    void countsThemOnceForEachSubspace(String field, String value, long cells) {
        assertThat(ofPut("\"%s\":%s".formatted(field, value))).isEqualTo(cells);
        assertThat(ofUpdate("\"%s\":{\"assign\":%s}".formatted(field, value))).isEqualTo(cells);
        assertThat(ofOperation("\"put\":\"" + ID + "\"", "\"%s\":%s".formatted(field, value)))
                .isEqualTo(cells);
        if (!field.equals("dense")) {
            assertThat(ofUpdate("\"%s\":{\"add\":%s}".formatted(field, value))).isEqualTo(cells);
            assertThat(
                            ofOperation(
                                    "\"update\":\"" + ID + "\"",
                                    "\"%s\":{\"add\":%s}".formatted(field, value)))
                    .isEqualTo(cells);
        }
    }

    @Test
    void countsOfAllFieldsAndOfFieldsThatStandAgain() {
        String one = "\"mixed\":[{\"address\":{\"k\":\"a\",\"x\":1},\"value\":1}]";
        String other = "\"dense\":[{\"address\":{\"x\":1},\"value\":1}]";

        assertThat(ofPut(one + "," + other)).isEqualTo(6);
        assertThat(ofPut(one + "," + one)).isEqualTo(6);
    }

    /** A counter may reject cells, and then no memory is allocated: these are 8 GB. */
    @Test
    void endsReadingBeforeThereIsMemoryForThem() {
        String cells =
                IntStream.range(0, 1_000)
                        .mapToObj("{\"address\":{\"k\":\"%d\",\"x\":0},\"value\":1}"::formatted)
                        .collect(Collectors.joining(",", "[", "]"));
        var told = new AtomicLong();
        LeftOutCells atMost =
                more -> {
                    if (told.addAndGet(more) > 2_000_000) {
                        throw new IllegalStateException("too many");
                    }
                };

        assertThatIllegalStateException()
                .isThrownBy(() -> put("\"large\":" + cells, atMost))
                .withMessage("too many");
        assertThat(told).hasValue(3 * 999_999);
    }

    private static long ofPut(String fields) {
        var count = new AtomicLong();
        put(fields, count::addAndGet);
        return count.get();
    }

    private static void put(String fields, LeftOutCells leftOut) {
        new DocumentReader(TYPE).read(ID, body("{\"fields\":{" + fields + "}}"), leftOut);
    }

    private static long ofUpdate(String fields) {
        var count = new AtomicLong();
        new UpdateReader(TYPE, false).read(body("{\"fields\":{" + fields + "}}"), count::addAndGet);
        return count.get();
    }

    private static long ofOperation(String what, String fields) {
        var count = new AtomicLong();
        byte[] json = "{%s,\"fields\":{%s}}".formatted(what, fields).getBytes(UTF_8);
        new OperationReader(List.of(TYPE), false).read(json, 0, json.length, count::addAndGet);
        return count.get();
    }

    private static ByteArrayInputStream body(String json) {
        return new ByteArrayInputStream(json.getBytes(UTF_8));
    }

    private static Field field(String name, String type) {
        return new Field(name, new FieldType.TensorOf(TensorType.parse(type)), true);
    }
}
