package org.crabro.samples.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Rules about values of documents, paths of updates and indexing scripts, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentRulesIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                struct person {
                  field name type string {}
                  field tags type array<string> {}
                  field grades type map<string, int> {}
                }
                field dense type tensor<float>(x[2]) { indexing: summary | attribute }
                field wide type tensor<int8>(x[2],y[2]) { indexing: summary | attribute }
                field sparse type tensor<float>(k{}) { indexing: summary | attribute }
                field mixed type tensor<float>(k{},x[2]) { indexing: summary | attribute }
                field place type position { indexing: summary | attribute }
                field places type array<position> { indexing: summary | attribute }
                field words type array<string> { indexing: summary }
                field numbers type array<int> { indexing: summary }
                field lists type array<array<int>> { indexing: summary }
                field prices type map<string, int> { indexing: summary }
                field people type array<person> { indexing: summary }
                field staff type map<string, person> { indexing: summary }
                field colors type weightedset<string> { indexing: summary }
                field a type string { indexing: summary }
                field b type string { indexing: summary }
                field more type array<string> { indexing: summary }
              }
              field joined type string { indexing: input a . " " . input b | summary }
              field appended type array<string> { indexing: input words . input more | summary }
              field shown type string { indexing: input a . input words | summary }
              field both type string { indexing: input words . input numbers | summary }
            }
            """;

    private static final String PATH = "/document/v1/ns/note/group/g/1";

    @TempDir static Path data;

    @AutoClose private ServedPackage server;

    @BeforeAll
    void start() throws Exception {
        server = ServedPackage.ofNotes(data, SCHEMA);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    dense  | {}                         | [0.0,0.0]
                    dense  | {"cells":[]}               | [0.0,0.0]
                    wide   | {}                         | [[0,0],[0,0]]
                    wide   | {"cells":[]}               | [[0,0],[0,0]]
                    sparse | {}                         | {}
                    sparse | {"cells":[]}               | {}
                    sparse | {"cells":{}}               | {}
                    mixed  | {}                         | {}
                    mixed  | {"cells":[]}               | {}
                    mixed  | {"blocks":[]}              | {}
                    """)
    void aTensorWithoutCellsIsZerosOrEmpty(String field, String value, String expected)
            throws Exception {
        put("\"%s\":%s".formatted(field, value));
        assertThat(cells(field)).as("put").isEqualTo(expected);
        put("");
        update("\"%s\":{\"assign\":%s}".formatted(field, value));
        assertThat(cells(field)).as("assign").isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    dense  | {"values":[]}
                    dense  | []
                    dense  | {"values":[1]}
                    dense  | {"values":[1,2,3]}
                    wide   | {"values":[]}
                    wide   | {"values":[1,2,3]}
                    mixed  | {"blocks":{"a":[]}}
                    mixed  | {"blocks":{"a":[1]}}
                    mixed  | {"blocks":{"a":[1,2,3]}}
                    """)
    void emptyValuesAndAWrongCountAre400(String field, String value) throws Exception {
        assertThat(server.post(PATH, "{\"fields\":{\"%s\":%s}}".formatted(field, value)).status())
                .isEqualTo(400);
        put("");
        assertThat(
                        server.put(
                                        PATH,
                                        "{\"fields\":{\"%s\":{\"assign\":%s}}}"
                                                .formatted(field, value))
                                .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"lat":90.5,"lng":200}          | 200
                    {"lat":-2000,"lng":-2147}       | 200
                    {"x":2147483647,"y":-2147483648} | 200
                    {"lat":63.4,"lng":10.4}         | 200
                    {"x":10400000,"y":63400000}     | 200
                    {"lat":2148,"lng":0}            | 400
                    {"x":2147483648,"y":0}          | 400
                    "N63.4;E10.4"                   | 200
                    "10400000;63400000"             | 200
                    "N91;E10"                       | 400
                    "S91;E10"                       | 400
                    "N10;E181"                      | 400
                    """)
    void positionObjectsTakeWhatFits32Bits(String position, int status) throws Exception {
        for (String fields :
                new String[] {"\"place\":" + position, "\"places\":[" + position + "]"}) {
            String put = "{\"fields\":{" + fields + "}}";
            assertThat(server.post(PATH, put).status()).as(put).isEqualTo(status);
            assertThat(server.post(PATH + "?strict=true", put).status()).as(put).isEqualTo(status);
        }
        put("");
        assertThat(
                        server.put(PATH, "{\"fields\":{\"place\":{\"assign\":" + position + "}}}")
                                .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    joined   | "a":"x","b":"y"              | "x y"
                    joined   | "a":"x"                      | -
                    joined   | "b":"y"                      | -
                    appended | "words":["p"],"more":["q"]   | ["p","q"]
                    appended | "words":["p"]                | ["p"]
                    appended | "more":["q"]                 | ["q"]
                    appended | "a":"x"                      | -
                    shown    | "a":"x","words":["p","q"]    | "x[p, q]"
                    shown    | "a":"x"                      | -
                    shown    | "words":["p"]                | -
                    both     | "words":["p"],"numbers":[1,2] | "[p][1, 2]"
                    both     | "words":["p"]                | -
                    """)
    void aPointAppendsCollectionsAndJoinsOtherValues(
            String field, String fields, @Nullable String expected) throws Exception {
        put(fields);
        assertThat(ids(field)).as("put").isEqualTo(expected);
        put("");
        update(fields.replaceAll("(\"[a-z]+\"):(\\[[^]]*]|\"[a-z]*\")", "$1:{\"assign\":$2}"));
        assertThat(ids(field)).as("update").isEqualTo(expected);
    }

    /** A field, its value before, a path with its change, and the value after. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    words   | ["p","q"]             | words[$x]             | {"assign":"z"}     | ["z","z"]
                    words   | ["p","q"]             | words{$x}             | {"assign":"z"}     | ["z","z"]
                    words   | ["p","q"]             | words[$x]             | {"remove":0}       | -
                    numbers | [1,2]                 | numbers[$x]           | {"increment":5}    | [6,7]
                    numbers | [1,2]                 | numbers[$x]           | {"decrement":1}    | [0,1]
                    numbers | [1,2]                 | numbers[$x]           | {"multiply":3}     | [3,6]
                    numbers | [4,2]                 | numbers[$x]           | {"divide":2}       | [2,1]
                    lists   | [[1],[2,3]]           | lists[$x][$y]         | {"increment":1}    | [[2],[3,4]]
                    lists   | [[1],[2,3]]           | lists[1][$y]          | {"assign":9}       | [[1],[9,9]]
                    lists   | [[1],[2]]             | lists[$x]             | {"add":[7]}        | [[1,7],[2,7]]
                    prices  | {"a":1,"b":2}         | prices{$x}            | {"assign":5}       | {"a":5,"b":5}
                    prices  | {"a":1,"b":2}         | prices[$x]            | {"increment":1}    | {"a":2,"b":3}
                    prices  | {"a":1,"b":2}         | prices{$x}            | {"remove":0}       | -
                    people  | [{"name":"n"},{}]     | people[$x].name       | {"assign":"m"}     | [{"name":"m"},{"name":"m"}]
                    people  | [{"name":"n"},{}]     | people[$x].name       | {"remove":0}       | [{},{}]
                    people  | [{"tags":["t"]}]      | people[$x].tags[$y]   | {"assign":"u"}     | [{"tags":["u"]}]
                    people  | [{"grades":{"g":1}}]  | people[$x].grades{$y} | {"increment":1}    | [{"grades":{"g":2}}]
                    people  | [{"grades":{"g":1}}]  | people[$x].grades{h}  | {"assign":3}       | [{"grades":{"g":1,"h":3}}]
                    staff   | {"a":{"name":"n"}}    | staff{$x}.name        | {"assign":"m"}     | {"a":{"name":"m"}}
                    staff   | {"a":{"tags":["t"]}}  | staff{$x}.tags        | {"add":["u"]}      | {"a":{"tags":["t","u"]}}
                    staff   | {"a":{"tags":["t"]}}  | staff{$x}.tags[$y]    | {"assign":"u"}     | {"a":{"tags":["u"]}}
                    staff   | {"a":{"tags":["t"]}}  | staff{a}.tags[$y]     | {"assign":"u"}     | {"a":{"tags":["u"]}}
                    colors  | {"red":1,"blue":2}    | colors{$x}            | {"assign":7}       | {"red":7,"blue":7}
                    colors  | {"red":1,"blue":2}    | colors{$x}            | {"increment":1}    | {"red":2,"blue":3}
                    colors  | {"red":1,"blue":2}    | colors{$x}            | {"remove":0}       | -
                    """)
    void aVariableInAPathMatchesAllKeysAndIndexes(
            String field, String before, String path, String change, @Nullable String after)
            throws Exception {
        put("\"%s\":%s".formatted(field, before));
        update("\"%s\":%s".formatted(path, change));
        String value = ids(field);
        if (after == null) {
            assertThat(String.valueOf(value)).isIn("null", "[]", "{}");
        } else {
            assertThat(Http.JSON.readTree(String.valueOf(value)))
                    .isEqualTo(Http.JSON.readTree(after));
        }
        // Of a field without a value, nothing changes.
        put("");
        update("\"%s\":%s".formatted(path, change));
        assertThat(ids(field)).isNull();
    }

    @Test
    void messagesBeginAsScriptsExpectThem() throws Exception {
        assertMessage(
                server.get("/document/v1/ns/nothing/group/g/1"),
                "Document type nothing does not exist");
        assertMessage(
                server.post("/document/v1/ns/nothing/group/g/1", "{\"fields\":{}}"),
                "Document type nothing does not exist");
        assertMessage(
                server.put("/document/v1/ns/nothing/group/g/1", "{\"fields\":{}}"),
                "Document type nothing does not exist");
        assertMessage(
                server.delete("/document/v1/ns/nothing/group/g/1"),
                "Document type nothing does not exist");
        assertMessage(
                server.post(PATH, "{\"fields\":{\"nope\":1}}"), "Field 'nope' is not defined in");
        assertMessage(
                server.put(PATH, "{\"fields\":{\"nope\":{\"assign\":1}}}"),
                "Field 'nope' is not defined in");
        assertMessage(
                server.put(PATH, "{\"fields\":{\"nope[0]\":{\"assign\":1}}}"),
                "Field 'nope' is not defined in");
        ServedPackage.Answer bulk =
                server.post(
                        "/document/v1/",
                        """
                        {"put":"id:ns:nothing:g=g:1","fields":{}}
                        {"put":"id:ns:note:g=g:1","fields":{"nope":1}}
                        {"update":"id:ns:note:g=g:1","fields":{"nope":{"assign":1}}}
                        """,
                        "Content-Type",
                        "application/jsonl");
        assertThat(bulk.body())
                .contains("\"Document type nothing does not exist")
                .contains("\"Field 'nope' is not defined in");
        assertThat(bulk.body().split("Field 'nope' is not defined in", -1)).hasSize(3);
    }

    private static void assertMessage(ServedPackage.Answer answer, String beginning) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.message()).startsWith(beginning);
    }

    private void put(String fields) throws Exception {
        server.write(PATH, fields);
    }

    private void update(String fields) throws Exception {
        ServedPackage.Answer answer = server.put(PATH, "{\"fields\":{" + fields + "}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Returns a field of the document, as a query shows it; null if it has no value. */
    private @Nullable String ids(String field) throws Exception {
        JsonNode fields =
                server.search("g", "select * from note where true", "")
                        .json()
                        .path("root")
                        .path("children")
                        .path(0)
                        .path("fields");
        assertThat(fields.has("documentid")).isTrue();
        return fields.has(field) ? fields.get(field).toString() : null;
    }

    /** Returns the cells of a tensor, in the short form. */
    private @Nullable String cells(String field) throws Exception {
        JsonNode value =
                server.get(PATH + "?format.tensors=short-value").json().path("fields").get(field);
        return value == null ? null : value.toString();
    }
}
