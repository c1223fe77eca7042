package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Files in, fields out. */
class SchemaGuessTest {
    @TempDir private Path directory;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Numbers
                "a;1;-2;0                                   | a Whole",
                "a;1;2.5                                    | a Decimal",
                "a;.5;-0.25;1e9;3.1E-7                      | a Decimal",
                "a;123456789012345678                       | a Whole",
                "a;1234567890123456789                      | a Whole",
                "a;12345678901234567890                     | a Text, a_number Nearest",
                "a;007;008                                  | a Text",
                "a;+49 30 123                               | a Text",
                "a;1 000                                    | a Text",
                "a;NaN;1.5                                  | a Text",
                // Dates
                "a;2024-01-31                               | a Time",
                "a;2024-01-31T10:00:00Z;2024-01-31          | a Time, a_text Original",
                "a;2024-01-31 10:00;2024-01-31 10:00:05     | a Time",
                "a;2024-01-31 10:00;2024-01-31 10:00:05.123 | a Time, a_text Original",
                "a;2024-01-31T10:00:00+02:00                | a Time, a_text Original",
                "a;2024-01-31T10:00:00+0200                 | a Time, a_text Original",
                "a;2024-01-31T10:00:00+0000                 | a Time",
                "a;2024-02-30                               | a Text",
                "a;2024-01-31;soon                          | a Text",
                "a;2024                                     | a Whole",
                // Truth values
                "a;true;False;TRUE                          | a Truth",
                "a;true;1                                   | a Text",
                "a;yes;no                                   | a Text",
                // Empty values
                "a,b;1,;2,                                  | a Whole",
                "a,b;1,x;,y                                 | a Whole, b Text",
                "a;    ;1                                   | a Whole",
                // Names that are no names of fields
                "First Name,größe (cm);x,1                  | First_Name Text, grosse_cm Whole",
                "from,ORDER;x,1                             | from_field Text, ORDER_field Whole",
                "a b,a-b,A_B;1,2,3                          | a_b Whole, a_b_2 Whole, A_B_3 Whole",
                "2024,%;1,2                                 | f_2024 Whole, field Whole",
                "a,,a;1,2,3                                 | a Whole, column_2 Whole, a_2 Whole",
                "documentid;x                               | documentid_field Text"
            })
    void guessesTheColumnsOfTables(String lines, String fields) throws Exception {
        assertThat(fields(csv(lines.strip().replace(";", "\n")))).isEqualTo(fields);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1} {\"a\": 2.5}                          | a Decimal",
                "{\"a\": \"1\"}                                   | a Text",
                "{\"a\": true} {\"b\": false}                     | a Truth, b Truth",
                "{\"a\": 12345678901234567890}                    | a Text, a_number Nearest",
                "{\"a\": \"2024-01-31T10:00:00Z\"}                | a Time",
                "{\"a\": null, \"b\": 1}                          | b Whole",
                "{\"a\": \"\", \"b\": [], \"c\": {}, \"d\": 1}    | d Whole",
                "{\"a\": [\"x\", \"y\"]} {\"a\": []}              | a Array(Text)",
                "{\"a\": [1, 2]} {\"a\": [3]}                     | a Array(Whole)",
                "{\"a\": [1, 2.5]}                                | a Array(Decimal)",
                "{\"a\": [1, \"x\"]}                              | a Array(Text)",
                "{\"a\": [true]}                                  | a Array(Text)",
                "{\"a\": [\"2024-01-31\"]}                        | a Array(Time)",
                "{\"a\": \"x\"} {\"a\": [\"y\"]}                  | a Array(Text)",
                "{\"a\": [[1], [2]]}                              | a Json",
                "{\"a\": {\"b\": 1, \"c d\": \"x\"}}              | a_b Whole, a_c_d Text",
                "{\"a\": {\"b\": 1}} {\"a\": {\"c\": [1]}}        | a_b Whole, a_c Array(Whole)",
                "{\"a\": {\"b\": 1}} {\"a\": \"x\"}               | a_b Whole, a Text",
                "{\"a\": [{\"b\": 1}, {\"b\": 2}]}                | a Array(Struct(b Whole))",
                "{\"a\": [{\"b\": 1}, 2]}                         | a Json",
                "{\"a\": {\"b\": {\"c\": 1}}}                     | a_b_c Whole",
                "{\"a\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,.5]}| a Vector(16 FLOAT)",
                "[{\"a\": 1}, {\"a\": 2}]                         | a Whole"
            })
    void guessesTheMembersOfObjects(String objects, String fields) throws Exception {
        assertThat(fields(json(objects.strip().replace(",.5", ",0.5")))).isEqualTo(fields);
    }

    @Test
    void guessesKeywordsFromFewShortRepeatedTexts() throws Exception {
        var lines = new StringBuilder("folder,subject\n");
        for (int i = 0; i < 40; i++) {
            lines.append(i % 2 == 0 ? "inbox" : "sent mail").append(",about ").append(i);
            lines.append('\n');
        }

        assertThat(fields(csv(lines.toString()))).isEqualTo("folder Keyword, subject Text");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "id,a;1,x;2,y         | id",
                "id,a;1,x;1,y         | ",
                "id,a;1,x;,y          | ",
                "a,UUID;x,f-1;y,f-2   | UUID",
                "key,id;1,1;2,2       | id",
                "number,a;1,x;2,y     | "
            })
    void guessesTheIdFromAMemberWithDistinctValues(String lines, String id) throws Exception {
        assertThat(guess(csv(lines.strip().replace(";", "\n"))).names().member())
                .isEqualTo(Optional.ofNullable(id));
    }

    @Test
    void makesPutsWithValuesOfTheGuessedTypes() throws Exception {
        Path file =
                json(
                        """
                        {"id": "a/1", "at": "2024-01-31", "n": 1, "tags": "one", "o": {"x y": [1]}}
                        {"id": "a:2", "at": "1970-01-01T00:01:00Z", "n": "many", "tags": ["one", ""]}
                        """);
        GuessedSchema schema = guess(file);

        assertThat(puts(file, schema, "ann"))
                .containsExactly(
                        "{\"put\":\"id:data:data:g=ann:a/1\",\"fields\":{\"id\":\"a/1\","
                                + "\"at\":1706659200,\"at_text\":\"2024-01-31\",\"n\":\"1\",\"tags\":[\"one\"],"
                                + "\"o_x_y\":[1]}}",
                        "{\"put\":\"id:data:data:g=ann:a:2\",\"fields\":{\"id\":\"a:2\","
                                + "\"at\":60,\"at_text\":\"1970-01-01T00:01:00Z\",\"n\":\"many\",\"tags\":[\"one\",\"\"]}}");
    }

    @Test
    void numbersRecordsWithoutAnId() throws Exception {
        Path file = csv("a\nx\ny\n");

        assertThat(puts(file, guess(file), "me"))
                .containsExactly(
                        "{\"put\":\"id:data:data:g=me:1\",\"fields\":{\"a\":\"x\"}}",
                        "{\"put\":\"id:data:data:g=me:2\",\"fields\":{\"a\":\"y\"}}");
    }

    @Test
    void replacesCharactersThatTextsOfDocumentsCannotHave() throws Exception {
        Path file = json("{\"a\": \"x\\u0010y\\tz\", \"b\": [\"\\ud800\", \"\\ud83d\\ude00\"]}");

        assertThat(puts(file, guess(file), "me"))
                .containsExactly(
                        "{\"put\":\"id:data:data:g=me:1\",\"fields\":{\"a\":\"x y\\tz\","
                                + "\"b\":[\" \",\"\ud83d\ude00\"]}}");
    }

    @Test
    void writesASchema() throws Exception {
        Path file =
                json("{\"a b\": \"some words\", \"t\": \"2024-01-31\", \"o\": [{\"x\": true}]}");

        assertThat(guess(file).text())
                .isEqualTo(
                        """
                        # Guessed from the data. Change it, then import again.
                        schema data {

                          document data {

                            struct o_parts {
                              field x type bool {}
                            }

                            # 'a b' in the data
                            field a_b type string {
                              indexing: summary | index
                            }

                            # seconds since 1970, UTC
                            field t type long {
                              indexing: summary | attribute
                              kind: date
                            }

                            field o type array<o_parts> {
                              indexing: summary
                              struct-field x { indexing: attribute }
                            }

                            # Written by crabro import: a hash of the document, and its source.
                            field import_mark type string {
                              indexing: attribute
                              match: word
                            }
                          }

                          # Searched by words without a field.
                          fieldset default {
                            fields: a_b
                          }

                          rank-profile words {
                            first-phase {
                              expression: bm25(a_b)
                            }
                          }
                        }
                        """);
    }

    @Test
    void suggestsTheWordThatMostTextsHave() throws Exception {
        Path file = csv("a\nwater tomatoes\nplant tomatoes\nbuy bread\n");

        assertThat(guess(file).commonWord()).contains("tomatoes");
    }

    private Path csv(String text) throws Exception {
        return Files.writeString(directory.resolve("data.csv"), text);
    }

    private Path json(String text) throws Exception {
        return Files.writeString(directory.resolve("data.jsonl"), text);
    }

    private static GuessedSchema guess(Path file) throws Exception {
        ImportSource source = ImportSource.of(file);
        try (RecordReader records = source.open()) {
            return SchemaGuess.of(source.typeName(), records, _ -> {});
        }
    }

    private static List<String> puts(Path file, GuessedSchema schema, String group)
            throws Exception {
        List<String> lines = new ArrayList<>();
        try (var documents =
                new DocumentPuts(ImportSource.of(file).open(), schema, group, new ImportLosses())) {
            for (Optional<DocumentPuts.Put> next = documents.next();
                    next.isPresent();
                    next = documents.next()) {
                Map<String, Object> put = new LinkedHashMap<>();
                put.put("put", next.get().id());
                put.put("fields", next.get().fields());
                lines.add(new JsonMapper().writeValueAsString(put));
            }
        }
        return lines;
    }

    private static String fields(Path file) throws Exception {
        return ImportedFile.of(file).fields();
    }
}
