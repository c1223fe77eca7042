package org.crabro.content.search.visit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.FormsTable;
import org.crabro.document.json.FormsTable.ValueLine;
import org.crabro.document.json.JsonBytes;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.encoding.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each value of {@link FormsTable} is written from its column as it is written otherwise. */
class ColumnFormsTest {
    @ParameterizedTest
    @MethodSource("org.crabro.document.json.FormsTable#values")
    void writesEachValueFromItsColumn(ValueLine line) {
        Map<String, FieldValue> fields = line.read();
        FieldValue value = Objects.requireNonNull(fields.get(line.field()));
        Field field = FormsTable.TYPE.field(line.field()).orElseThrow();
        var row = new Row(FormsTable.ID, 1, FormsTable.TYPE.fingerprint(), false, fields);

        try (Arena arena = Arena.ofConfined()) {
            EncodedBlock inMemory = new BlockWriter(FormsTable.TYPE).write(List.of(row), arena);
            EncodedBlock inFile =
                    new BlockWriter(FormsTable.TYPE, SearchedTexts.NONE).write(List.of(row), arena);
            for (TensorFormat format : TensorFormat.values()) {
                String text = new String(FieldValueWriter.utf8(value, format), UTF_8);
                String expected = "{\"" + line.field() + "\":" + text + "}";
                assertThat(written(inMemory, field, format)).as("%s", format).isEqualTo(expected);
                assertThat(written(inFile, field, format)).as("%s", format).isEqualTo(expected);
            }
        }
    }

    private static String written(EncodedBlock block, Field field, TensorFormat format) {
        var json = new JsonBytes(16);
        @Nullable Column[] columns = {block.column(field.name()).orElseThrow()};
        new RowJson(new VisitedType(FormsTable.TYPE, List.of(field)), format, true)
                .write(columns, 0, json);
        ByteBuffer bytes = json.finish();
        return UTF_8.decode(bytes).toString();
    }
}
