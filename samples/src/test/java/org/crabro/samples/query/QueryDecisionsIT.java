package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Where Vespa leaves a choice, or people asked it for something else, what is chosen here: each
 * choice with a request that shows it. What takes more than a request has a test of its own, and
 * partial answers when time runs out, the sixth choice, are shown by {@code SearchReplyTest} and
 * {@code SelectedSearchTest} in {@code content}, where tests have the clock.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryDecisionsIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct line { field text type string {} field number type int {} }
                field title type string {
                  indexing: index | summary
                  bolding: on
                }
                field place type string {
                  indexing: index | summary
                  match { gram gram-size: 2 }
                }
                field year type int { indexing: attribute | summary }
                field time type long { indexing: attribute | summary }
                field ratio type double { indexing: attribute | summary }
                field key type string { indexing: attribute | summary }
                field lines type array<string> { indexing: index | summary }
                field page type array<line> { indexing: index | summary }
                field notes type map<string, string> { indexing: index | summary }
                field pages type map<string, line> { indexing: index | summary }
                field cover type raw { indexing: summary }
                field vector type tensor<float>(x[2]) { indexing: attribute }
              }
              rank-profile near { inputs { query(q) tensor<float>(x[2]) } }
              rank-profile ratio {
                first-phase { expression: 0 }
                match-features: attribute(ratio)
              }
              rank-profile infinite { first-phase { expression: attribute(year) / 0 } }
              rank-profile joined { rank lines { element-gap: 1 } }
            }
            """;

    private static final String OTHER =
            """
            schema t {
              document t {
                field title type string { indexing: index | summary }
                field size type int { indexing: attribute | summary }
              }
            }
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA, "t", OTHER));
        server.put(
                "n/s/group/g/d1",
                """
                {"title":"red house","place":"東京都庁","year":3,"time":9007199254740993,
                 "lines":["one two","three four","five"],
                 "page":[{"text":"one two"},{"number":2},{"text":"three"}],
                 "notes":{"a b":"one two","c":"three"},
                 "pages":{"a":{"text":"one two"},"b":{"text":"three"}},"cover":"aGVsbG8=","vector":[1,0]}\
                """);
        server.put(
                "n/s/group/g/d2",
                """
                {"title":"red tree","place":"Elephants","year":3,"time":1223406051,
                 "lines":["one"],"vector":[2,0],"key":"b"}\
                """);
        server.put(
                "n/s/group/g/d3",
                "{\"title\":\"東京都庁\",\"year\":1,\"time\":0,\"vector\":[3,0],\"key\":\"b\"}");
        server.put("n/t/group/g/e1", "{\"title\":\"red boat\",\"size\":7}");
    }

    /**
     * What an answer has; with a bang before it, what it has not. Blanks around it do not count.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    1  ¦ timing=1                                              ¦ 200 ¦ !"timing"
                    1  ¦ timing=TRUE                                           ¦ 200 ¦ "timing"
                    1  ¦ timing=                                               ¦ 200 ¦ "timing"
                    2  ¦ yql=select * from s where true order by year, '[docid]' limit 2 offset 1 ¦ 200 ¦ :d1"
                    2  ¦ yql=select * from s where true order by year, '[docid]' limit 2 offset 1 ¦ 200 ¦ !:d2"
                    3  ¦ yql=select * from s where true order   by year limit 1 ¦ 200 ¦ :d3"
                    3  ¦ yql=select * from s where true limit @n&n=1           ¦ 200 ¦ "children":[{
                    3  ¦ yql=select * from s                                   ¦ 200 ¦ "totalCount":3
                    4  ¦ yql=                                                  ¦ 400 ¦ {"code":1,
                    4  ¦ yql=select * from s where title ~ 1                   ¦ 400 ¦ !Exception
                    4  ¦ yql=select * from s where title ~ 1                   ¦ 400 ¦ !stackTrace
                    7  ¦ yql=select * from s where time = 1223406051 limit 0 | all(group(time.dayofweek(time)) each(output(count()))) ¦ 200 ¦ "id":"group:long:2"
                    8  ¦ streaming.maxbucketspervisitor=1                      ¦ 200 ¦ "totalCount":3
                    9  ¦ searchpath=0/1                                        ¦ 200 ¦ "totalCount":3
                    9  ¦ path=0/1                                              ¦ 200 ¦ "totalCount":3
                    9  ¦ model.searchPath=0/1                                  ¦ 200 ¦ "totalCount":3
                    10 ¦ yql=select * from s where true limit 0 | all(group(12/3*2) each(output(count()))) ¦ 200 ¦ "id":"group:long:2"
                    10 ¦ tracelevel=1&yql=select * from s where true limit 0 | all(group(12/3*2) each(output(count()))) ¦ 200 ¦ Grouping as parsed: all(group(div(12, mul(3, 2))) each(output(count())))
                    10 ¦ tracelevel=1&yql=select * from s where true limit 0 | all(group(12/3*2) each(output(count()))) ¦ 200 ¦ '/' binds looser than what follows it, so this is div(12, mul(3, 2)): say otherwise with parentheses
                    10 ¦ tracelevel=1&yql=select * from s where true limit 0 | all(group(12/(3*2) + 12*3/2) each(output(count()))) ¦ 200 ¦ !binds looser
                    10 ¦ tracelevel=1&select=all(group(12%3*2) each(output(count()))) ¦ 200 ¦ '%' binds looser
                    10 ¦ timezone=America/New_York&yql=select * from s where time = 1223406051 limit 0 | all(group(time.hourofday(time)) each(output(count()))) ¦ 200 ¦ "id":"group:long:15"
                    11 ¦ yql=select * from s where title contains "red"&ranking=unranked ¦ 200 ¦ :d1".*:d2"
                    11 ¦ yql=select * from s where true&sorting=-year          ¦ 200 ¦ :d1".*:d2".*:d3"
                    12 ¦ yql=select * from s where size > 1                    ¦ 400 ¦ Field 'size' does not exist.
                    12 ¦ yql=select * from sources * where size > 1            ¦ 200 ¦ {"code":8,
                    12 ¦ yql=select * from sources * where size > 1            ¦ 200 ¦ :e1"
                    12 ¦ yql=select * from sources * where nowhere > 1         ¦ 400 ¦ Field 'nowhere' does not exist.
                    13 ¦ ranking=infinite                                      ¦ 200 ¦ "relevance":"-Infinity"
                    13 ¦ ranking=ratio                                         ¦ 200 ¦ "attribute(ratio)":null
                    13 ¦ yql=select * from s where true limit 0 | all(output(max(math.log(0)))) ¦ 200 ¦ "-Infinity"
                    14 ¦ yql=select * from s where place contains "京都"        ¦ 200 ¦ :d1"
                    14 ¦ yql=select * from s where place contains "phant"      ¦ 200 ¦ :d2"
                    14 ¦ yql=select * from s where title contains "京都"        ¦ 200 ¦ :d3"
                    14 ¦ yql=select * from s where title contains "京庁"        ¦ 200 ¦ "totalCount":0
                    15 ¦ yql=select * from s where true limit 0 | all(group(predefined(year,bucket[3,9>)) each(output(count()))) ¦ 200 ¦ "id":"group:null"
                    16 ¦ yql=select * from s where title contains              ¦ 400 ¦ Could not create query from YQL: query:L1:
                    16 ¦ streaming.groupname=&streaming.selection=true         ¦ 400 ¦ streaming.groupname
                    17 ¦ after=&hits=1                                         ¦ 200 ¦ "after":"
                    17 ¦ hits=1                                                ¦ 200 ¦ !"after"
                    17 ¦ renderer.json.longsAsStrings=true                     ¦ 200 ¦ "time":"9007199254740993"
                    17 ¦ renderer.json.longsAsStrings=true&yql=select * from s where true limit 0 | all(group(year) order(max(time)) output(count()) each(output(max(time)))) ¦ 200 ¦ "max(time)":"9007199254740993"
                    17 ¦ renderer.json.longsAsStrings=true&yql=select * from s where true limit 0 | all(group(year) output(count())) ¦ 200 ¦ "count()":"2"
                    17 ¦ hits=10                                               ¦ 200 ¦ "time":9007199254740993
                    17 ¦ yql=select * from s where title contains "house"&presentation.bolding.tags=<b>,</b> ¦ 200 ¦ red <b>house</b>
                    17 ¦ yql=select * from s where title contains "house"&bolding=false ¦ 200 ¦ red house
                    """)
    void chooses(int number, String parameters, int status, String expected) throws Exception {
        var all = new ArrayList<String>(List.of("streaming.groupname", "g"));
        if (!parameters.contains("yql=")) {
            all.addAll(List.of("yql", "select * from s where true"));
        }
        all.addAll(StreamingServer.pairs(parameters));

        server.require(number, status, expected, all);
    }

    /** The fifth: exactly the nearest of those that pass the other conditions, and no others. */
    @Test
    void findsTheNearestOfWhatPassesTheOtherConditions() throws Exception {
        String yql = "select * from s where {targetHits: 1}nearestNeighbor(vector, q) and year = 3";

        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "ranking",
                        "near",
                        "input.query(q)",
                        "[9,0]",
                        "yql",
                        yql);

        assertThat(StreamingServer.ids(root)).containsExactly("d2");
        assertThat(root.path("fields").path("totalCount").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    near("two", "three")                | default |          |
                    near("two", "three")                | joined  |          | d1
                    near("two", "three")                | default | 0        | d1
                    near("two", "three")                | joined  | infinity |
                    near("two", "three")                | joined  | 5        |
                    ({distance: 6}near("two", "three")) | joined  | 5        | d1
                    onear("three", "two")               | joined  | 0        |
                    onear("two", "three")               | joined  | 0        | d1
                    near("four", "five", !"three")      | joined  | 0        |
                    near(phrase("three", "four"), "five") | joined | 0       | d1
                    near("three", phrase("four", "five")) | joined | 0       |
                    """)
    void findsWordsNearEachOtherInNeighboringElements(
            String words, String profile, String gap, String expected) throws Exception {
        var parameters =
                new ArrayList<String>(
                        List.of(
                                "streaming.groupname",
                                "g",
                                "ranking",
                                profile,
                                "yql",
                                "select * from s where lines contains " + words));
        if (gap != null) {
            parameters.addAll(List.of("ranking.elementGap.lines", gap));
        }

        JsonNode root = server.root(parameters.toArray(String[]::new));

        assertThat(String.join(" ", StreamingServer.ids(root)))
                .isEqualTo(expected == null ? "" : expected);
    }

    /** The element without a text stands between the others, and is as far from both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    page.text contains near("two", "three")              |              |
                    page.text contains near("two", "three")              | page=0       | d1
                    page.text contains near("two", "three")              | page.text=0  | d1
                    page.text contains near("two", "three")              | page=1       |
                    page.text contains ({distance: 3}near("two", "three")) | page=1     | d1
                    page.text contains onear("three", "two")             | page=0       |
                    notes.value contains onear("one", "two", "three")    | notes=0      | d1
                    notes.value contains near("one", "two", "three")     |              |
                    notes.value contains near("two", "three")            | notes=infinity |
                    notes.key contains onear("b", "c")                   | notes=1      | d1
                    notes.key contains onear("b", "c")                   | notes=2      |
                    pages.value.text contains near("two", "three")       | pages=0      | d1
                    pages.value.text contains near("two", "three")       |              |
                    pages.value.text contains near("one", "two")         |              | d1
                    """)
    void findsWordsNearEachOtherInNeighboringEntriesAndStructs(
            String condition, String gap, String expected) throws Exception {
        var parameters =
                new ArrayList<String>(
                        List.of(
                                "streaming.groupname",
                                "g",
                                "yql",
                                "select * from s where " + condition));
        if (gap != null) {
            int equals = gap.indexOf('=');
            parameters.addAll(
                    List.of(
                            "ranking.elementGap." + gap.substring(0, equals),
                            gap.substring(equals + 1)));
        }

        JsonNode root = server.root(parameters.toArray(String[]::new));

        assertThat(String.join(" ", StreamingServer.ids(root)))
                .isEqualTo(expected == null ? "" : expected);
    }

    /** Of those with the same value in a field that is not shown, too. */
    @Test
    void collapsesByWhatIsNotShown() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select documentid, title from s where true order by '[docid]'",
                        "collapsefield",
                        "year");

        assertThat(StreamingServer.ids(root)).containsExactly("d1", "d3");
        assertThat(root.toString()).doesNotContain("year");
    }

    @Test
    void showsBytesAsTextWhereAskedTo() throws Exception {
        String yql = "select * from s where title contains \"house\"";

        assertThat(server.root("streaming.groupname", "g", "yql", yql).toString())
                .contains("\"cover\":\"aGVsbG8=\"");
        assertThat(
                        server.root(
                                        "streaming.groupname",
                                        "g",
                                        "yql",
                                        yql,
                                        "renderer.json.rawAsBase64",
                                        "false")
                                .toString())
                .contains("\"cover\":\"hello\"");
    }
}
