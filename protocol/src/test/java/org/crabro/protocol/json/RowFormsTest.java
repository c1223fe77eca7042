package org.crabro.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.FormsTable;
import org.crabro.document.json.FormsTable.Handling;
import org.crabro.document.json.FormsTable.ValueLine;
import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each form of {@link FormsTable} is encoded as the row of the value that is read otherwise. */
class RowFormsTest {
    private static final byte[] ID = FormsTable.ID.toString().getBytes(UTF_8);

    @ParameterizedTest
    @MethodSource
    void encodesTheRowOfTheValue(ValueLine line) {
        assertEncoded(line);
    }

    static Stream<ValueLine> encodesTheRowOfTheValue() {
        return FormsTable.lines().stream().filter(line -> line.handling() == Handling.ROW);
    }

    @ParameterizedTest
    @MethodSource
    void leavesOtherFormsToTheReaderOfValues(ValueLine line) {
        assertThat(row(FormsTable.TYPE, line.fields())).isEmpty();
    }

    static Stream<ValueLine> leavesOtherFormsToTheReaderOfValues() {
        return FormsTable.lines().stream().filter(line -> line.handling() != Handling.ROW);
    }

    /** Enough entries to detect work per entry that depends on all earlier ones. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    weightedset<int>
                    map<string, string>
                    tensor<float>(k{})
                    """)
    void encodesManyEntries(String field) {
        String members =
                IntStream.range(0, 20_000)
                        .mapToObj(i -> "\"%d\":%d".formatted(i * 7_919 % 15_000, i % 100))
                        .collect(Collectors.joining(",", "{", "}"));

        assertEncoded(new ValueLine(field, members, Handling.ROW, ""));
    }

    /** Omitted cells count: 8,000 bytes for 50 bytes of JSON each. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(x[1000])     | {%s,"int":7}        | "tensor":{"cells":[{"address":{"x":1},"value":2}]}
                    tensor(k{},x[1000]) | {"tensor":{%s},"int":7} | "a":{"cells":[{"address":{"x":1},"value":7}]}
                    """)
    void leavesRowsThatAreMuchLongerThanTheirJson(String tensor, String fields, String part) {
        var type =
                new DocumentType(
                        "made",
                        List.of(
                                new Field(
                                        "tensor",
                                        new FieldType.TensorOf(TensorType.parse(tensor)),
                                        true),
                                new Field("int", FieldType.Primitive.INT, true)));
        String repeated = String.join(",", Collections.nCopies(2_000, part));

        assertThat(row(type, fields.formatted(part))).isEmpty();
        assertThat(row(type, fields.formatted(repeated))).isEmpty();
    }

    private static void assertEncoded(ValueLine line) {
        var row = new Row(FormsTable.ID, 0, FormsTable.TYPE.fingerprint(), false, line.read());

        assertThat(row(FormsTable.TYPE, line.fields()).orElseThrow())
                .isEqualTo(RowEncoding.encode(row, FormsTable.TYPE));
    }

    private static Optional<byte[]> row(DocumentType type, String fields) {
        byte[] bytes = fields.getBytes(UTF_8);
        var json = new JsonScanner();
        json.openLines(bytes, 0, bytes.length);
        try {
            byte[] row = new RowEncoder(type, false).row(json, ID, 0, ID.length);
            assertThat(json.isAtLineEnd()).isTrue();
            return Optional.of(row);
        } catch (JsonScanner.UncommonFormException _) {
            return Optional.empty();
        }
    }
}
