package org.crabro.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RecordLinesTest {
    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a":1,"b":"x"}                   | a,b     | 1,x
                    {"a":{"b":1,"c":{"d":2.5}},"e":3} | a.b,a.c.d,e | 1,2.5,3
                    {"a":"x,y"}                       | a       | "x,y"
                    {"a":"say \\"x\\" now"}           | a       | "say ""x"" now"
                    {"x,y":true}                      | "x,y"   | true
                    {"a":[1,2],"b":{}}                | a       | "[1,2]"
                    {"a":1} {"b":2}                   | a,b     | 1,;,2
                    """)
    void linesOfCsvHaveTheMembersOfAllObjects(String objects, String names, String lines) {
        List<JsonNode> records =
                Arrays.stream(objects.split(" (?=\\{)")).map(JSON::readTree).toList();

        assertThat(RecordLines.csv(records).getFirst()).isEqualTo(names);
        assertThat(RecordLines.csv(records).subList(1, records.size() + 1))
                .containsExactly(lines.split(";"));
    }
}
