package org.crabro.client.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GroupScopeTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String ONLY =
            "these tools read the group 'ann' only: 'crabro mcp' was started with --group ann";

    private static JsonNode call(String tool, String arguments) {
        return JSON.readTree(
                "{\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
                        .formatted(tool, arguments));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    search   | {"query":"a"}               | {"query":"a","group":"ann"}
                    search   | {"group":null}              | {"group":"ann"}
                    search   | {"group":"ann","hits":1}    | {"group":"ann","hits":1}
                    search   | null                        | {"group":"ann"}
                    visit    | {"parameters":{"hits":3}}   | {"parameters":{"hits":3},"group":"ann"}
                    visit    | []                          | []
                    get      | {"id":"id:a:a:g=ann:1"}     | {"id":"id:a:a:g=ann:1"}
                    get      | {"id":"nonsense"}           | {"id":"nonsense"}
                    describe | {}                          | {}
                    """)
    void addsTheGroup(String tool, String arguments, String expected) {
        JsonNode message = call(tool, arguments);

        assertThat(new GroupScope("ann").apply(message)).isEmpty();
        assertThat(message.at("/params/arguments")).isEqualTo(JSON.readTree(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    search | {"group":"bob"}
                    search | {"group":7}
                    search | {"group":["ann"]}
                    search | {"group":""}
                    search | {"parameters":{"streaming.groupname":"bob"}}
                    search | {"parameters":{"streaming.selection":"true"}}
                    visit  | {"group":"bob","type":"mail"}
                    get    | {"id":"id:a:a:g=bob:1"}
                    get    | {"id":"id:a:a::1"}
                    get    | {"id":"id:a:a:g=ann2:g=ann:1"}
                    """)
    void refusesOtherGroups(String tool, String arguments) {
        JsonNode message = call(tool, arguments);

        assertThat(new GroupScope("ann").apply(message))
                .hasValueSatisfying(refusal -> assertThat(refusal).endsWith(ONLY));
        assertThat(new GroupScope("ann").apply(JSON.createArrayNode().add(message))).isPresent();
    }
}
