package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What people asked Vespa for, or found hard there, by the number of the issue in which they did:
 * each with requests that show what is answered here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WishesIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct person { field name type string {} field born type int {} }
                field title type string { indexing: index | summary }
                field stemmed type string {
                  indexing: index | summary
                  stemming: best
                }
                field grams type string {
                  indexing: index | summary
                  match { gram gram-size: 2 }
                }
                field name type string { indexing: attribute | summary }
                field year type int { indexing: attribute | summary }
                field time type long { indexing: attribute | summary }
                field ratio type double { indexing: attribute | summary }
                field tags type array<string> { indexing: attribute | summary }
                field ints type array<int> { indexing: attribute | summary }
                field lists type map<string, array<string>> { indexing: index | summary }
                field prices type map<string, int> { indexing: index | summary }
                field people type array<person> { indexing: index | summary }
              }
              fieldset default { fields: title }
              rank-profile ratio {
                first-phase { expression: 0 }
                match-features: attribute(ratio)
              }
            }
            """;

    /** The same field is of another type there. */
    private static final String OTHER =
            "schema t { document t { field name type string { indexing: attribute | summary }"
                    + " field year type double { indexing: attribute | summary } } }";

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA, "t", OTHER));
        server.put(
                "n/s/group/g/d1",
                """
                {"title":"red fishes swim","stemmed":"red fishes swim","grams":"Elephants",
                 "name":"c++","year":3,"time":1751328000,"tags":["x","x","y"],"ints":[1,9],
                 "lists":{"k":["one two","three"],"l":["four"]},"prices":{"p":5},
                 "people":[{"name":"Ada","born":1815},{"name":"Alan","born":1912}]}\
                """);
        server.put(
                "n/s/group/g/d2",
                """
                {"title":"red fish","stemmed":"a fish swims","name":"c","year":1,
                 "time":1735689600,"ratio":0.5,"tags":["x"],"ints":[5],"prices":{"p":7}}\
                """);
        server.put("n/s/group/g/d3", "{\"title\":\"blue\",\"name\":\"b\",\"year\":2,\"time\":0}");
        server.put("n/s/group/h/e1", "{\"title\":\"red sea\"}");
        server.put("n/t/group/u/f1", "{\"name\":\"c\",\"year\":1.5}");
        server.put("n/s/group/u/f2", "{\"name\":\"c\",\"year\":3}");
    }

    /** Parameters, the status, and what an answer has; with a bang before it, what it has not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    30452 ¦ yql=select * from s where title contains                       ¦ 400 ¦ query:L1:36 expected a condition or a value, got the end
                    30444 ¦ yql=select * from s where title contains                       ¦ 400 ¦ !Exception
                    14122 ¦ yql=select * from s where title contains "½"                   ¦ 200 ¦ "totalCount":0
                    14122 ¦ yql=select * from s where title contains "½ fish"              ¦ 200 ¦ "totalCount":1
                    14122 ¦ query=½&sources=s                                              ¦ 400 ¦ {"code":1,
                    23968 ¦ select=all(output(min(year)))                                  ¦ 200 ¦ "fields":{"min(year)":1}
                    34654 ¦ select=all(group(tags) having(count() >= 3) each(output(count()))) ¦ 200 ¦ "children":[{"id":"group:string:x","relevance":0.0,"value":"x","fields":{"count()":3}}]
                    8566  ¦ select=all(group(predefined(count(),bucket[1,2>)) each(output(count()))) ¦ 400 ¦ needs a value of each document
                    33850 ¦ select=all(output(quantiles([0.5],year)))                      ¦ 200 ¦ [{"quantile":0.5,"value":2.0}]
                    33646 ¦ select=all(group(tags) each(output(count(),countdocs())))      ¦ 200 ¦ {"count()":3,"countdocs()":2}
                    5989  ¦ select=all(group(tags) output(count()))                        ¦ 200 ¦ "fields":{"count()":2}
                    7981  ¦ hits=0&select=all(group(tags) each(max(1) each(output(summary())))) ¦ 200 ¦ "id":"group:string:x".*:d1".*"id":"group:string:y".*:d1"
                    7981  ¦ hits=0&select=all(group(tags) each(max(1) each(output(summary())))) ¦ 200 ¦ !:d2"
                    23538 ¦ yql=select * from s where true order by year limit 0 | all(group(tags) max(1) each(each(output(summary())))) ¦ 200 ¦ :d2".*:d1"
                    23538 ¦ yql=select * from s where true order by year desc limit 0 | all(group(tags) max(1) each(each(output(summary())))) ¦ 200 ¦ :d1".*:d2"
                    28319 ¦ grouping.defaultMaxGroups=1&select=all(group(tags) each(output(count()))) ¦ 200 ¦ "message":"1 of 2 groups, since grouping.defaultMaxGroups is 1
                    28319 ¦ select=all(group(tags) each(output(count())))                  ¦ 200 ¦ !"message"
                    24229 ¦ select=all(group(tags) max(2) each(output(count())))           ¦ 200 ¦ !"next"
                    12497 ¦ select=all(group(tags) max(1) each(output(count())))           ¦ 200 ¦ "continuation":{"next":
                    18645 ¦ select=all(group(tags) max(inf) each(output(count())))         ¦ 400 ¦ {"code":4,.*unbounded
                    18645 ¦ select=all(group(tags) max(10001) each(output(count())))       ¦ 400 ¦ {"code":4,.*exceeds grouping.globalMaxGroups=10000
                    2506  ¦ timezone=Europe/Oslo&select=all(group(time.hourofday(time)) each(output(count()))) ¦ 200 ¦ "id":"group:long:1".*"id":"group:long:2"
                    33325 ¦ sorting=-prices{p}                                             ¦ 200 ¦ :d2".*:d1".*:d3"
                    26681 ¦ sorting=-min(ints)                                             ¦ 200 ¦ :d2".*:d1".*:d3"
                    26681 ¦ sorting=-max(ints)                                             ¦ 200 ¦ :d1".*:d2".*:d3"
                    33624 ¦ renderer.json.longsAsStrings=true                              ¦ 200 ¦ "time":"1751328000"
                    35291 ¦ ranking=ratio                                                  ¦ 200 ¦ "attribute(ratio)":null
                    10705 ¦ presentation.timing=true                                       ¦ 200 ¦ "timing":{"querytime":.*"searchtime":
                    10705 ¦ trace.level=1                                                  ¦ 200 ¦ matching and scoring took
                    24265 ¦ language=fi&yql=select * from s where stemmed contains "swims" ¦ 200 ¦ "totalCount":1
                    24265 ¦ yql=select * from s where stemmed contains "swims"          ¦ 200 ¦ "totalCount":2
                    31372 ¦ yql=select * from s where stemmed contains ({language: "fi"}"swims") ¦ 200 ¦ "totalCount":1
                    27659 ¦ yql=select * from s where stemmed contains phrase("fish", "swim") ¦ 200 ¦ "totalCount":2
                    27659 ¦ yql=select * from s where stemmed contains ({stem: false}phrase("fish", "swim")) ¦ 200 ¦ "totalCount":0
                    27659 ¦ yql=select * from s where {stem: false}stemmed contains "fishes swim" ¦ 200 ¦ "totalCount":1
                    33051 ¦ yql=select * from s where grams contains "phant"               ¦ 200 ¦ :d1"
                    25970 ¦ yql=select * from s where title contains phrase("red", {prefix: true}"fis") ¦ 200 ¦ "totalCount":2
                    25970 ¦ yql=select * from s where title contains phrase("red", {substring: true}"she", {suffix: true}"im") ¦ 200 ¦ "totalCount":1
                    25970 ¦ yql=select * from s where title contains phrase({prefix: true}"re", "swim") ¦ 200 ¦ "totalCount":0
                    25970 ¦ yql=select * from s where title contains near("swim", {prefix: true}"re") ¦ 200 ¦ :d1"
                    25970 ¦ yql=select * from s where title contains phrase("red", fuzzy("fisch")) ¦ 200 ¦ :d2"
                    24476 ¦ yql=select * from s where title matches "^red fish$"           ¦ 200 ¦ "totalCount":1
                    25105 ¦ yql=select * from s where name contains "C++"                  ¦ 200 ¦ "totalCount":1
                    33238 ¦ yql=select * from s where people contains sameElement(name contains fuzzy("Adda"), born < 1900) ¦ 200 ¦ :d1"
                    34621 ¦ yql=select * from s where people contains sameElement(name contains "Ada", range(born, 1900, 2000)) ¦ 200 ¦ "totalCount":0
                    35734 ¦ yql=select * from s where lists{"k"} contains "three"          ¦ 200 ¦ :d1"
                    35734 ¦ yql=select * from s where lists contains sameElement(key contains "l", value contains "three") ¦ 200 ¦ "totalCount":0
                    4278  ¦ streaming.groupname=                                           ¦ 400 ¦ streaming.groupname: the name of the group is empty
                    3092  ¦ streaming.groupname=-&streaming.groupnames=g,h&yql=select * from s where title contains "red" ¦ 200 ¦ "totalCount":3
                    3092  ¦ streaming.groupname=-&streaming.groupnames=["g","h"]&yql=select * from s where title contains "red" ¦ 200 ¦ "totalCount":3
                    3092  ¦ streaming.groupname=-&streaming.selection=id.group=="g" or id.group=="h"&yql=select * from s where title contains "red" ¦ 200 ¦ "totalCount":3
                    3092  ¦ streaming.groupname=g,h                                        ¦ 400 ¦ group of document id holds a comma: 'g,h'; several groups are named by streaming.groupnames
                    3092  ¦ streaming.groupname=-&streaming.selection=id.group=="g:h"      ¦ 400 ¦ streaming.selection: group of document id holds a colon
                    3092  ¦ streaming.groupname=-&streaming.selection=id.group = "*h"&yql=select * from s where title contains "red" ¦ 200 ¦ :e1"
                    13932 ¦ words=it's "red - +( fish&yql=select * from s where userInput(@words) ¦ 200 ¦ "totalCount":1
                    374   ¦ words=+red -"fish&yql=select * from s where title contains text(@words) ¦ 200 ¦ "totalCount":2
                    374   ¦ type=tokenize&query=+red -"fish&sources=s                      ¦ 200 ¦ "totalCount":2
                    0     ¦ hits=1&after=                                                  ¦ 200 ¦ "after":"
                    """)
    void isAnswered(int issue, String parameters, int status, String expected) throws Exception {
        List<String> all =
                StreamingServer.pairs(parameters.replaceFirst("streaming\\.groupname=-&", ""));
        if (!parameters.contains("streaming.groupname=")) {
            all.addAll(List.of("streaming.groupname", "g"));
        }
        if (!parameters.contains("yql=") && !parameters.contains("query=")) {
            all.addAll(List.of("yql", "select * from s where true"));
        }

        server.require(issue, status, expected, all);
    }

    /** What is a whole number in one type and has fractions in another is grouped as both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    sum(year) | 4.5
                    avg(year) | 2.25
                    min(year) | 1.5
                    max(year) | 3
                    stddev(year) | 0.75
                    count()   | 2
                    """)
    void groupsTypesTogether(String aggregate, double expected) throws Exception {
        var root =
                server.root(
                        "streaming.groupname",
                        "u",
                        "yql",
                        "select * from sources * where true limit 0 | all(group(name) each(output("
                                + aggregate
                                + ")))");

        assertThat(
                        root.path("children")
                                .path(0)
                                .path("children")
                                .path(0)
                                .path("children")
                                .path(0)
                                .path("fields")
                                .path(aggregate)
                                .asDouble())
                .isEqualTo(expected);
    }
}
