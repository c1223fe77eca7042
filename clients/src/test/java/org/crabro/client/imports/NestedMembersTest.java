package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Objects in objects become fields, and what has no field is kept. */
class NestedMembersTest {
    @TempDir private Path directory;

    private ImportedFile imported(String objects) throws IOException {
        return ImportedFile.of(Files.writeString(directory.resolve("a.jsonl"), objects));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":{\"b\":{\"c\":1}}} | a_b_c Whole | {\"a_b_c\":1}",
                "{\"a\":{\"b\":[1,2],\"c\":\"x\"}} | a_b Array(Whole), a_c Text | {\"a_b\":[1,2],\"a_c\":\"x\"}",
                // The member outside of objects has the name.
                "{\"a\":{\"b\":1},\"a_b\":2} | a_b_2 Whole, a_b Whole | {\"a_b_2\":1,\"a_b\":2}",
                "{\"a\":{\"b\":1},\"a.b\":2} | a_b_2 Whole, a_b Whole | {\"a_b_2\":1,\"a_b\":2}",
                "{\"a\":{\"b_c\":1,\"b\":{\"c\":2}}} | a_b_c Whole, a_b_c_2 Whole | {\"a_b_c\":1,\"a_b_c_2\":2}",
                "{\"a\":{\"b\":1},\"A\":{\"B\":2}} | a_b Whole, A_B_2 Whole | {\"a_b\":1,\"A_B_2\":2}",
                "{\"a\":1} {\"a\":{\"b\":2}} | a Whole, a_b Whole | {\"a\":1}",
                "{\"a\":[{\"b\":{\"c\":1},\"d\":\"x\"}]} | a Array(Struct(b_c Whole, d Text)) | {\"a\":[{\"b_c\":1,\"d\":\"x\"}]}",
                "{\"a\":[{\"b\":[{\"c\":1}]}]} | a Array(Struct(b Json)) | {\"a\":[{\"b\":\"[{\\\"c\\\":1}]\"}]}",
                "{\"a\":{\"b\":[{\"c\":1}]}} | a_b Array(Struct(c Whole)) | {\"a_b\":[{\"c\":1}]}",
                "{\"a\":[{\"b\":{\"c\":1}},2]} | a Json | {\"a\":\"[{\\\"b\\\":{\\\"c\\\":1}},2]\"}",
                "{\"a\":{},\"b\":{\"c\":{}},\"d\":1} | d Whole | {\"d\":1}",
            })
    void makesFieldsOfMembers(String objects, String fields, String put) throws IOException {
        ImportedFile file = imported(objects);

        assertThat(file.fields()).isEqualTo(fields);
        assertThat(file.puts().getFirst()).hasToString(put);
        assertThat(file.losses()).isEmpty();
    }

    @Test
    void keepsAndNamesTheMembersBeyondTheLimit() throws IOException {
        // There are members 0 to 599. The last 400 of them are in two records.
        String first =
                IntStream.range(0, 600)
                        .mapToObj("\"m%d\":\"word%<d\""::formatted)
                        .collect(Collectors.joining(",", "{\"id\":1,\"o\":{", "}}"));
        String second =
                IntStream.range(200, 600)
                        .mapToObj("\"m%d\":\"x\""::formatted)
                        .collect(Collectors.joining(",", "{\"id\":2,\"o\":{", "}}"));

        ImportedFile file = imported(first + "\n" + second);

        assertThat(file.schema().fields()).hasSize(501);
        assertThat(file.fields())
                .contains("id Whole", "o_m98 Text", "o_m200 Text", "o_m599 Text")
                .endsWith(", other_members Others")
                .doesNotContain("o_m99 Text", "o_m199 Text");
        var others =
                new JsonMapper().readTree(file.puts().getFirst().get("other_members").asString());
        assertThat(others.size()).isEqualTo(101);
        assertThat(others.get("o.m99").asString()).isEqualTo("word99");
        assertThat(file.puts().getLast().get("other_members")).isNull();
        assertThat(file.schema().hints().notes())
                .singleElement()
                .asString()
                .startsWith(
                        "other_members: the members beyond 500 fields, as JSON: o.m99, o.m100, ")
                .endsWith(", o.m199");
        assertThat(file.schema().text())
                .contains(
                        """
                            # JSON of all members without a field
                            field other_members type string {
                              indexing: summary | index
                            }
                        """)
                .containsPattern("fields: .*o_m200.*, other_members\n");
        assertThat(file.losses()).isEmpty();
    }

    /** Each put has all values, whatever the number of different members is. */
    @Test
    void keepsMembersThatAreNotCounted() throws IOException {
        String object =
                IntStream.range(0, 6_000)
                        .mapToObj("\"k%d\":%<d"::formatted)
                        .collect(Collectors.joining(",", "{\"o\":{", "}}"));

        ImportedFile file = imported(object);

        assertThat(file.schema().fields()).hasSize(501);
        var others =
                new JsonMapper().readTree(file.puts().getFirst().get("other_members").asString());
        assertThat(others.size() + file.puts().getFirst().size() - 1).isEqualTo(6_000);
        assertThat(others.get("o.k5999").asInt()).isEqualTo(5_999);
    }

    @Test
    void searchesTheObjectsInLists() throws IOException {
        ImportedFile file =
                imported(
                        "{\"o\":{\"items\":[{\"name\":\"red pen\",\"price\":2,\"tags\":[\"x\"]}]}}");

        assertThat(file.schema().text())
                .contains(
                        """
                            struct o_items_parts {
                              field name type string {}
                              field price type long {}
                              field tags type array<string> {}
                            }

                            # 'o.items' in the data
                            field o_items type array<o_items_parts> {
                              indexing: summary
                              struct-field name { indexing: index }
                              struct-field price { indexing: attribute }
                              struct-field tags { indexing: index }
                            }
                        """)
                .contains("fields: o_items.name, o_items.tags\n");
    }
}
