package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Values, and the fields of a schema that is edited. */
class SchemaFitTest {
    @TempDir private Path directory;

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "5                      | long          | 5                      | ",
                "5                      | int           | 5                      | ",
                "5                      | double        | 5                      | ",
                "5                      | float         | 5                      | ",
                "5                      | string        | \"5\"                  | ",
                "5                      | array<long>   | [5]                    | ",
                "5                      | bool          | none                   | left out because the field's type does not have it",
                "2.5                    | long          | none                   | left out because the field's type does not have it",
                "2.5                    | float         | 2.5                    | ",
                "0.1                    | float         | 0.1                    | ",
                "0.12345678901          | float         | 0.12345678901          | rounded to the nearest float",
                "9007199254740993       | double        | 9007199254740993       | rounded to the nearest double",
                "9007199254740993       | float         | 9007199254740993       | rounded to the nearest float",
                "\"x\"                  | long          | none                   | left out because the field's type does not have it",
                "\"x\"                  | double        | none                   | left out because the field's type does not have it",
                "\"\"                   | long          | none                   | ",
                "null                   | long          | none                   | ",
                "\"2024-01-31\"         | long          | 1706659200             | ",
                "\"2024-01-31\"         | string        | \"2024-01-31\"         | ",
                "true                   | bool          | true                   | ",
                "true                   | string        | \"true\"               | ",
                "[1, \"x\"]             | array<long>   | [1]                    | elements left out because the field's type does not have them",
                "[1, null]              | array<long>   | [1]                    | ",
                "[\"x\"]                | string        | \"[\\\"x\\\"]\"        | ",
                "[\"x\"]                | long          | none                   | left out because the field's type does not have it",
            })
    void storesAValueOrReportsIt(String value, String type, String stored, String loss)
            throws Exception {
        Path file = Files.writeString(directory.resolve("a.json"), "{\"b\":1,\"a\":" + value + "}");
        var losses = new ImportLosses();

        String fields = fields(file, Map.of("a", type, "b", "long"), losses);

        assertThat(fields)
                .isEqualTo(stored.equals("none") ? "{\"b\":1}" : "{\"b\":1,\"a\":" + stored + "}");
        if (loss == null) {
            assertThat(losses.lines()).isEmpty();
        } else {
            assertThat(losses.lines()).containsExactly("a: " + loss + ": 1 value, first in line 1");
        }
    }

    @Test
    void reportsWhatTheSchemaOfAnEarlierReadingDoesNotHave() throws Exception {
        Path file = Files.writeString(directory.resolve("a.json"), "{\"a\": 1}");
        GuessedSchema schema = guess(file);
        Files.writeString(file, "{\"a\": \"x\", \"b\": 2, \"c\": \"\"}");
        var losses = new ImportLosses();

        assertThat(fields(file, schema, losses)).isEqualTo("{}");
        assertThat(losses.lines())
                .containsExactly(
                        "a: left out because the field's type does not have it: 1 value, first in line 1",
                        "b: left out because the schema has no field: 1 value, first in line 1");
    }

    @Test
    void listsTheFieldsThatASchemaLacks() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("a.json"),
                        "{\"a\": 1, \"b\": [{\"c\": 1}], \"d\": {\"e\": 1}}");
        GuessedSchema schema = guess(file);
        GuessedSchema within = schema.within(Map.of("a", "long", "b", "map<string,int>"));

        assertThat(schema.lacking(within))
                .extracting(GuessedField::name)
                .containsExactly("b", "d_e");
    }

    private static GuessedSchema guess(Path file) throws IOException {
        try (RecordReader records = ImportSource.of(file).open()) {
            return SchemaGuess.of("a", records, _ -> {});
        }
    }

    private static String fields(Path file, Map<String, String> declared, ImportLosses losses)
            throws IOException {
        return fields(file, guess(file).within(declared), losses);
    }

    private static String fields(Path file, GuessedSchema schema, ImportLosses losses)
            throws IOException {
        try (var documents = new DocumentPuts(ImportSource.of(file).open(), schema, "me", losses)) {
            Optional<DocumentPuts.Put> put = documents.next();
            return new JsonMapper().writeValueAsString(put.orElseThrow().fields());
        }
    }
}
