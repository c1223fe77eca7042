package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the specification says that queries come to, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryVectorsIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct person { field name type string {} field born type int {} }
                field year type int { indexing: attribute | summary }
                field years type array<int> { indexing: attribute | summary }
                field boss type person { indexing: summary | index }
                field prices type map<string, int> { indexing: summary | index }
                field fox type string { indexing: attribute | summary }
                field foxc type string {
                  indexing: attribute | summary
                  match { word cased }
                }
                field title type string {
                  indexing: index | summary
                  bolding: on
                }
                field body type string { indexing: index | summary }
                field items type weightedset<string> { indexing: attribute | summary }
                field pos type position { indexing: attribute | summary }
                field done type bool { indexing: attribute | summary }
                field people type array<person> { indexing: summary | index }
              }
              fieldset fs1 { fields: title, body }
            }
            """;

    private static final int MANY = 10_000;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA));
        server.put(
                "n/s/group/g/d0",
                """
                {"year":2010,"years":[2010,1999],"boss":{"name":"b","born":3},
                 "prices":{"x":5,"y":1},"fox":"ThisIsAFox","foxc":"ThisIsAFox",
                 "title":"Electrics Blues","body":"passé","items":{"item3":2,"item2":1},
                 "pos":{"lat":-4.62325,"lng":55.452306},"done":false,
                 "people":[{"name":"Ada","born":1815},{"name":"Alan","born":1912}]}\
                """);
        server.put("n/s/group/g/d1", "{\"fox\":\"other\",\"prices\":{\"y\":2}}");
        server.put(
                "n/s/group/g/d2",
                """
                {"year":2008,"years":[2008],"boss":{"name":"c","born":2},"prices":{"x":7,"y":4},
                 "title":"Bolding","body":"fish"}\
                """);
        server.put(
                "n/s/group/g/d3",
                """
                {"year":2020,"years":[2020,2000],"boss":{"name":"a","born":1},
                 "prices":{"x":1,"y":3}}\
                """);
        server.feed(
                IntStream.range(0, MANY)
                        .mapToObj(i ->
                                "{\"put\":\"id:n:s:g=many:%d\",\"fields\":{\"year\":%d}}"
                                        .formatted(i, i))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    -year                   | d3 d0 d2 d1
                    +year                   | d1 d2 d0 d3
                    year                    | d1 d2 d0 d3
                    +missing(year,last)     | d2 d0 d3 d1
                    -missing(year,first)    | d1 d3 d0 d2
                    -missing(year,as,2017)  | d3 d1 d0 d2
                    +years                  | d0 d3 d2 d1
                    -years                  | d3 d0 d2 d1
                    -[docid]                | d3 d2 d1 d0
                    +boss.name              | d1 d3 d0 d2
                    -boss.born              | d0 d2 d3 d1
                    +prices{x}              | d1 d3 d0 d2
                    -prices{"x"}            | d2 d0 d3 d1
                    +missing(prices{x},last) | d3 d0 d2 d1
                    +[source] -year         | d3 d0 d2 d1
                    -nowhere +year          | d1 d2 d0 d3
                    """)
    void sortsAs(String sorting, String expected) throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true",
                        "sorting",
                        sorting);

        assertThat(StreamingServer.ids(root)).containsExactly(expected.split(" ", -1));
        assertThat(root.has("errors")).as("%s", root).isEqualTo(sorting.contains("nowhere"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    fox matches "^this.*fox$"             | d0
                    fox matches "[i]+[b]+"                | -
                    foxc matches "^this.*fox$"            | -
                    foxc matches "^This.*Fox$"            | d0
                    fs1 contains "passe"                  | d0
                    fs1 contains "fishes"                 | -
                    people contains sameElement(name contains "ada", born < 1900) | d0
                    people contains sameElement(name contains "alan", born < 1900) | -
                    prices{"x"} = 7                       | d2
                    range(prices{"y"}, 2, 3)              | d1 d3
                    prices contains sameElement(key contains "x", value > 4) | d0 d2
                    year in (2008, 2020)                  | d2 d3
                    true and !(year in (2008, 2020))      | d0 d1
                    5 < boss.born or boss.born = 1        | d3
                    rank(year > 2009, fs1 contains "fish") | d0 d3
                    weightedSet(items, {"item3":1})       | d0
                    """)
    void findsAs(String where, String expected) throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where " + where + " order by '[docid]'");

        assertThat(String.join(" ", StreamingServer.ids(root)))
                .isEqualTo(expected.replace("-", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    select * from s where year ~ 1          | 400 | 4 | Could not create query from YQL: query:L1:27 token recognition problem at '~'
                    select * from s where fox matches "*"   | 400 | 4 | missing argument to repetition operator at index 0
                    select * from s where true limit 401    | 400 | 4 | requested hits: 401, max allowed: 400
                    select * from s where x contains "y"    | 400 | 4 | Field 'x' does not exist.
                    select * from s where range(year, 1)    | 400 | 4 | Expected 3 arguments, got 2.
                    select * from s where title.x contains "y" | 400 | 4 | Field 'title.x' does not exist.
                    select * from s where boss.x contains "y" | 400 | 4 | Field 'boss.x' does not exist.
                    select * from s where people.x = 1      | 400 | 4 | Field 'people.x' does not exist.
                    select * from s where prices.x = 1      | 400 | 4 | Field 'prices.x' does not exist.
                    select * from s where pos in (1)        | 400 | 4 | query:L1:26 only integer and string fields are supported by in, and 'pos' is of type position
                    select * from s where year in ("a", @none) | 400 | 4 | missing query property 'none'
                    """)
    void refusesAs(String yql, int status, int code, String message) throws Exception {
        Http.Answer answer = server.search("streaming.groupname", "g", "yql", yql);

        assertThat(answer.status()).isEqualTo(status);
        JsonNode error = answer.body().path("root").path("errors").path(0);
        assertThat(error.path("code").asInt()).isEqualTo(code);
        assertThat(error.path("message").asString()).contains(message);
    }

    @Test
    void refusesWhatHasNoScopeOrProfile() throws Exception {
        String all = "select * from s where true";

        Http.Answer scope = server.search("yql", all);
        assertThat(scope.status()).isEqualTo(400);
        assertThat(scope.toString())
                .contains(
                        "Streaming search requires either streaming.groupname or"
                                + " streaming.selection");
        Http.Answer hits = server.search("streaming.groupname", "g", "yql", all, "hits", "401");
        assertThat(hits.body().path("root").path("errors").path(0).path("code").asInt())
                .isEqualTo(3);
        Http.Answer profile =
                server.search("streaming.groupname", "g", "yql", all, "ranking", "nowhere");
        assertThat(profile.status()).isEqualTo(400);
        assertThat(profile.body().path("root").path("errors").path(0).path("code").asInt())
                .isEqualTo(4);
        Http.Answer unknown = server.search("streaming.groupname", "nobody", "yql", all);
        assertThat(unknown.status()).isEqualTo(200);
        assertThat(unknown.body().path("root").path("coverage").path("documents").asInt()).isZero();
    }

    @Test
    void showsAsAHit() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where title contains \"electrics\"");

        JsonNode fields = root.path("children").path(0).path("fields");
        assertThat(fields.path("title").asString()).isEqualTo("<hi>Electrics</hi> Blues");
        assertThat(fields.path("items").path("item3").asInt()).isEqualTo(2);
        assertThat(fields.path("pos").path("lat").asDouble()).isEqualTo(-4.62325);
        assertThat(fields.path("done").asBoolean(true)).isFalse();
        JsonNode part =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where title contains ({substring:true}\"oldin\")");
        assertThat(part.path("children").path(0).path("fields").path("title").asString())
                .isEqualTo("B<hi>oldin</hi>g");
        assertThat(part.path("children").path(0).path("fields").has("items")).isFalse();
    }

    @Test
    void searchesWhatASelectionMeans() throws Exception {
        assertThat(selected("s.year > 2009 and id.group == 'g'")).containsExactly("d0", "d3");
        assertThat(selected("id.group == 'g' and not s.year == null"))
                .containsExactly("d0", "d2", "d3");
        assertThat(selected("id == 'id:n:s:g=g:d2'")).containsExactly("d2");
        Http.Answer bad =
                server.search(
                        "streaming.selection", "s.year >", "yql", "select * from s where true");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.body().path("root").path("errors").path(0).path("code").asInt())
                .isEqualTo(4);
        JsonNode late =
                server.root(
                        "streaming.groupname",
                        "g",
                        "streaming.totimestamp",
                        "1000000",
                        "yql",
                        "select * from s where true");
        assertThat(late.path("fields").path("totalCount").asInt()).isZero();
    }

    private List<String> selected(String selection) throws Exception {
        return StreamingServer.ids(
                server.root(
                        "streaming.selection",
                        selection,
                        "yql",
                        "select * from s where true order by '[docid]'"));
    }

    @Test
    void coversAllDocumentsOfAGroup() throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname", "many", "yql", "select * from s where true limit 0");

        assertThat(root.path("fields").path("totalCount").asInt()).isEqualTo(MANY);
        assertThat(root.path("coverage").toString())
                .isEqualTo(
                        "{\"coverage\":100,\"documents\":10000,\"full\":true,\"nodes\":1,"
                                + "\"results\":1,\"resultsFull\":1}");
    }
}
