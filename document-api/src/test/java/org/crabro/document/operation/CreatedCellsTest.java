package org.crabro.document.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.HeldSize;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.UpdateReader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreatedCellsTest {
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            field("mixed", tensor("tensor<float>(k{},x[1000])")),
                            field("dense", tensor("tensor<float>(x[1000])")),
                            field("sparse", tensor("tensor<float>(k{})")),
                            field("large", tensor("tensor<int8>(k{},x[16777216])")),
                            field(
                                    "each",
                                    new FieldType.ArrayOf(tensor("tensor<float>(k{},x[1000])"))),
                            field("number", FieldType.Primitive.INT)));
    private static final UpdateReader READER = new UpdateReader(TYPE, false);

    /** The maximum number of cells that an update creates; it names only some of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # field  | modify                                                                         | cells
                    mixed    | "create":true,"cells":[{"address":{"k":"a","x":1},"value":1}]                  | 1000
                    mixed    | "cells":[{"address":{"k":"a","x":1},"value":1}]                                | 0
                    mixed    | "create":false,"cells":[{"address":{"k":"a","x":1},"value":1}]                 | 0
                    mixed    | "create":true,"cells":[{"address":{"k":"a","x":1},"value":1},{"address":{"k":"a","x":2},"value":1}] | 1000
                    mixed    | "create":true,"cells":[{"address":{"k":"a","x":1},"value":1},{"address":{"k":"b","x":1},"value":1}] | 2000
                    mixed    | "create":true,"cells":[]                                                       | 0
                    dense    | "create":true,"cells":[{"address":{"x":1},"value":1},{"address":{"x":2},"value":1}] | 1000
                    sparse   | "create":true,"cells":{"a":1,"b":2,"c":3}                                      | 3
                    large    | "create":true,"cells":[{"address":{"k":"a","x":1},"value":1},{"address":{"k":"b","x":1},"value":1}] | 16777216
                    """)
    void countsWhatIsMadeOfWhatIsNamed(String field, String modify, long cells) {
        List<FieldUpdate> updates =
                updates("\"%s\":{\"modify\":{\"operation\":\"add\",%s}}".formatted(field, modify));

        long bytes = CreatedCells.heapBytes(updates, TYPE);

        if (cells == 0) {
            assertThat(bytes).isLessThan(1_000);
        } else {
            assertThat(bytes).isBetween(16 * cells, 16 * cells + 1_000);
        }
    }

    @Test
    void countsAllUpdatesWhereverTheyLead() {
        List<FieldUpdate> updates =
                updates(
                        """
                        "mixed":{"modify":{"operation":"add","create":true,
                            "cells":[{"address":{"k":"a","x":1},"value":1}]}},
                        "each":{"match":{"element":3,"modify":{"operation":"add","create":true,
                            "cells":[{"address":{"k":"a","x":1},"value":1}]}}},
                        "number":{"increment":1}
                        """);

        assertThat(CreatedCells.heapBytes(updates, TYPE)).isBetween(32_000L, 34_000L);
        assertThat(CreatedCells.heapBytes(updates, new DocumentType("item", List.of())))
                .as("fields that a type does not have are left out")
                .isZero();
    }

    @Test
    void boundsTheCellsOfTheResult() {
        List<FieldUpdate> updates =
                updates(
                        """
                        "mixed":{"modify":{"operation":"add","create":true,
                            "cells":[{"address":{"k":"a","x":1},"value":1},
                                     {"address":{"k":"b","x":1},"value":1},
                                     {"address":{"k":"a","x":2},"value":1}]}}
                        """);

        long held = HeldSize.of(FieldUpdates.apply(updates, TYPE, Map.of()).values());

        assertThat(held).isGreaterThan(16_000);
        assertThat(CreatedCells.heapBytes(updates, TYPE)).isGreaterThanOrEqualTo(held);
    }

    /** Each label has 128 MiB of cells: they are counted before they are allocated. */
    @Test
    void noMoreIsMadeThanATensorMayHave() {
        String cells =
                IntStream.range(0, 1_000)
                        .mapToObj("{\"address\":{\"k\":\"%d\",\"x\":0},\"value\":1}"::formatted)
                        .collect(Collectors.joining(",", "[", "]"));
        List<FieldUpdate> updates =
                updates(
                        "\"large\":{\"modify\":{\"operation\":\"add\",\"create\":true,\"cells\":%s}}"
                                .formatted(cells));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldUpdates.apply(updates, TYPE, Map.of()))
                .withMessageContaining("has more than " + DenseTensor.CELL_COUNT_MAX + " cells");
    }

    private static List<FieldUpdate> updates(String fields) {
        String body = "{\"fields\":{" + fields + "}}";
        return READER.read(new ByteArrayInputStream(body.getBytes(UTF_8)), LeftOutCells.UNCOUNTED)
                .updates();
    }

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    private static FieldType tensor(String type) {
        return new FieldType.TensorOf(TensorType.parse(type));
    }
}
