package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules about conditions: each in YQL, in JSON, and in simple syntax if it can say it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConditionRulesIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                field title type string { indexing: index | summary }
                field lines type array<string> { indexing: index | summary }
                field part type string {
                  indexing: index | summary
                  match: substring
                }
                field name type string { indexing: attribute | summary }
                field names type array<string> { indexing: attribute | summary }
                field ints type array<int> { indexing: attribute | summary }
                field reals type array<double> { indexing: attribute | summary }
                field flags type array<bool> { indexing: attribute | summary }
                field year type int { indexing: attribute | summary }
                field pos type position { indexing: attribute | summary }
                field vector type tensor<float>(x[2]) { indexing: attribute }
              }
              fieldset mixed { fields: title, year }
              fieldset texts { fields: title, lines }
              rank-profile near { inputs { query(q) tensor<float>(x[2]) } }
            }
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA));
        server.put(
                "n/s/group/g/d1",
                """
                {"title":"release 5 of the ship","lines":["one two","three"],"ints":[5,2],
                 "flags":[true,false],"reals":[1.5,2],"year":2000,"name":"red house",
                 "names":["red"],"part":"underground","pos":{"lat":63.4,"lng":10.4},
                 "vector":[1,1]}\
                """);
        server.put(
                "n/s/group/g/d2",
                """
                {"title":"version 2.6 boat","lines":["three","two one 5"],"ints":[7,5],
                 "flags":[false],"reals":[2],"year":5,"name":"red",
                 "pos":{"lat":63.5,"lng":10.4},"vector":[3,3]}\
                """);
        server.put("n/s/group/g/d3", "{\"title\":\"minus -7 sea\",\"year\":7,\"name\":\"green\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    lines[0] = "three"   ¦ {"equals":{"field":"lines","index":0,"value":"three"}}   ¦ d2
                    lines[1] = "two one" ¦ {"equals":{"field":"lines","index":1,"value":"two one"}} ¦ d2
                    lines[1] = "two"     ¦ {"equals":{"field":"lines","index":1,"value":"two"}}     ¦ d2
                    lines[7] = "two"     ¦ {"equals":{"field":"lines","index":7,"value":"two"}}     ¦
                    names[0] = "red"     ¦ {"equals":{"field":"names","index":0,"value":"red"}}     ¦ d1
                    ints[0] = 5          ¦ {"equals":{"field":"ints","index":0,"value":5}}          ¦ d1
                    ints[1] = 5          ¦ {"equals":{"field":"ints","index":1,"value":5}}          ¦ d2
                    reals[0] = 1.5       ¦ {"equals":{"field":"reals","index":0,"value":1.5}}       ¦ d1
                    reals[1] = 2         ¦ {"equals":{"field":"reals","index":1,"value":2}}         ¦ d1
                    flags[0] = true      ¦ {"equals":{"field":"flags","index":0,"value":true}}      ¦ d1
                    flags[1] = false     ¦ {"equals":{"field":"flags","index":1,"value":false}}     ¦ d1
                    !(flags[0] = true) and ints[1] = 5 ¦ {"and":[{"not":[{"equals":{"field":"flags","index":0,"value":true}}]},{"equals":{"field":"ints","index":1,"value":5}}]} ¦ d2
                    """)
    void anElementAtAnIndexEqualsAValue(String yql, String json, @Nullable String ids)
            throws Exception {
        finds(yql, json, null, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    lines[-1] = "x"  ¦ {"equals":{"field":"lines","index":-1,"value":"x"}}
                    ints[1.5] = 5    ¦ {"equals":{"field":"ints","index":1.5,"value":5}}
                    ints["a"] = 5    ¦ {"equals":{"field":"ints","index":"a","value":5}}
                    ints[0] = "five" ¦ {"equals":{"field":"ints","index":0,"value":"five"}}
                    ints[0] = true   ¦ {"equals":{"field":"ints","index":0,"value":true}}
                    flags[0] = 5     ¦ {"equals":{"field":"flags","index":0,"value":5}}
                    flags[0] = "x"   ¦ {"equals":{"field":"flags","index":0,"value":"x"}}
                    """)
    void anIndexOrAValueThatCannotBeIs400(String yql, String json) throws Exception {
        refuses(yql, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title = 5                          ¦ {"equals":["title",5]}       ¦ title:5   ¦ d1
                    5 = title                          ¦                              ¦           ¦ d1
                    title = 2.6                        ¦ {"equals":["title",2.6]}     ¦ title:2.6 ¦ d2
                    title = -7                         ¦ {"equals":["title",-7]}      ¦           ¦ d3
                    title = 55                         ¦ {"equals":["title",55]}      ¦ title:55  ¦
                    texts = 5                          ¦ {"equals":["texts",5]}       ¦ texts:5   ¦ d1 d2
                    mixed = 5                          ¦ {"equals":["mixed",5]}       ¦ mixed:5   ¦ d1 d2
                    mixed = 2.6                        ¦ {"equals":["mixed",2.6]}     ¦           ¦ d2
                    mixed = 7                          ¦ {"equals":["mixed",7]}       ¦ mixed:7   ¦ d3
                    title in (5, 7)                    ¦ {"in":["title",5,7]}         ¦           ¦ d1 d3
                    mixed in (5)                       ¦ {"in":["mixed",5]}           ¦           ¦ d1 d2
                    title = 5 or title = 7             ¦ {"or":[{"equals":["title",5]},{"equals":["title",7]}]} ¦ ¦ d1 d3
                    weakAnd(title = 5, title = 2.6)    ¦ {"weakAnd":[{"equals":["title",5]},{"equals":["title",2.6]}]} ¦ ¦ d1 d2
                    !(title = 5)                       ¦ {"not":[{"equals":["title",5]}]} ¦       ¦ d2 d3
                    rank(title = 5, title = 7)         ¦ {"rank":[{"equals":["title",5]},{"equals":["title",7]}]} ¦ ¦ d1
                    lines contains sameElement(5)      ¦ {"contains":["lines",{"sameElement":[5]}]} ¦ ¦ d2
                    lines contains sameElement("two" and 5) ¦ {"contains":["lines",{"sameElement":[{"and":["two",5]}]}]} ¦ ¦ d2
                    title contains "5"                 ¦ {"contains":["title","5"]}   ¦ title:5   ¦ d1
                    name = 5                           ¦ {"equals":["name",5]}        ¦ name:5    ¦
                    """)
    void aNumberIsAWordOfATextInEveryOperator(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title > 5             ¦ {"range":["title",{">":5}]}
                    range(title, 1, 5)    ¦ {"range":["title",{">=":1,"<":5}]}
                    """)
    void aTextInARangeIs400(String yql, String json) throws Exception {
        refuses(yql, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    "year" = 5                                             ¦ d2
                    "year" > 1000                                          ¦ d1
                    range("year", 1, 10)                                   ¦ d2 d3
                    "title" contains "boat"                                ¦ d2
                    "title" matches "boat"                                 ¦ d2
                    "name" in ("red")                                      ¦ d2
                    "lines"[0] = "three"                                   ¦ d2
                    "lines" contains sameElement("three")                  ¦ d1 d2
                    geoBoundingBox("pos", 63.45, 10, 64, 11)               ¦ d2
                    geoLocation("pos", 63.4, 10.4, "5 km")                 ¦ d1
                    weightedSet("name", {"red": 1})                        ¦ d2
                    dotProduct("name", {"red": 1})                         ¦ d2
                    wand("name", {"red": 1})                               ¦ d2
                    {targetHits: 1}nearestNeighbor("vector", "q")          ¦ d1
                    {defaultIndex: "name"}userInput("green")               ¦ d3
                    true order by "year" limit 1                           ¦ d2
                    """)
    void aNameCanBeAString(String yql, String ids) throws Exception {
        finds(yql, null, null, ids);
    }

    /** The first place is about 11 km south of the second. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    pos, 63.4, 10.4, "5 km"           ¦ d1
                    pos, "63.4", "10.4", "5 km"       ¦ d1
                    pos, "N63.4", "E10.4", "5 km"     ¦ d1
                    pos, "E10.4", "N63.4", "5 km"     ¦ d1
                    pos, "63.4N", "10.4E", "5 km"     ¦ d1
                    pos, "10.4E", "63.4N", "5 km"     ¦ d1
                    pos, "N63.4", 10.4, "5 km"        ¦ d1
                    pos, 10.4, "N63.4", "5 km"        ¦ d1
                    pos, "N63o24", "E10o24", "5 km"   ¦ d1
                    pos, "63N24", "10E24", "5 km"     ¦ d1
                    pos, "10o24'00E", "63\u00b024N", "5 km" ¦ d1
                    pos, 63.4, 10.4, "5km"            ¦ d1
                    pos, 63.4, 10.4, "5000 m"         ¦ d1
                    pos, 63.4, 10.4, "3 miles"        ¦ d1
                    pos, 63.4, 10.4, "0.05 deg"       ¦ d1
                    pos, 63.4, 10.4, "20 km"          ¦ d1 d2
                    pos, 63.4, 10.4, "20000 m"        ¦ d1 d2
                    pos, 63.4, 10.4, "10 miles"       ¦ d1 d2
                    pos, 63.4, 10.4, "0.2 deg"        ¦ d1 d2
                    pos, 0, 0, "-1 m"                 ¦ d1 d2
                    pos, 0, 0, "-1 km"                ¦ d1 d2
                    pos, 63.4, 10.4, "5"              ¦ 400
                    pos, 63.4, 10.4, "5 parsecs"      ¦ 400
                    pos, 63.4, 10.4, "x km"           ¦ 400
                    pos, "N63.4", "N10.4", "5 km"     ¦ 400
                    pos, "E63.4", "E10.4", "5 km"     ¦ 400
                    """)
    void geoLocationTakesDegreesInEveryForm(String arguments, String ids) throws Exception {
        String yql = "geoLocation(%s)".formatted(arguments);
        String json = "{\"geoLocation\":[%s]}".formatted(arguments.replaceFirst("pos", "\"pos\""));
        if (ids.equals("400")) {
            refuses(yql, json);
        } else {
            finds(yql, json, null, ids);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains phrase("of", "the", "ship")           ¦ {"contains":["title",{"phrase":["of","the","ship"]}]} ¦ title:"of the ship" ¦ d1
                    title contains phrase("of", phrase("the", "ship"))   ¦ {"contains":["title",{"phrase":["of",{"phrase":["the","ship"]}]}]} ¦ ¦ d1
                    title contains phrase("the", alternatives({"boat":1.0,"ship":0.5})) ¦ {"contains":["title",{"phrase":["the",{"alternatives":{"boat":1.0,"ship":0.5}}]}]} ¦ ¦ d1
                    title contains phrase("the", fuzzy("shipp"))          ¦ {"contains":["title",{"phrase":["the",{"fuzzy":["shipp"]}]}]} ¦ ¦ d1
                    title contains phrase("the", regex("^sh"))           ¦ {"contains":["title",{"phrase":["the",{"regex":["^sh"]}]}]} ¦ ¦ d1
                    title contains near("ship", "of")                    ¦ {"contains":["title",{"near":["ship","of"]}]} ¦ ¦ d1
                    title contains onear("ship", "of")                   ¦ {"contains":["title",{"onear":["ship","of"]}]} ¦ ¦
                    title contains near("of", equiv("boat", "ship"))     ¦ {"contains":["title",{"near":["of",{"equiv":["boat","ship"]}]}]} ¦ ¦ d1
                    title contains onear(equiv("boat", "of"), "ship")    ¦ {"contains":["title",{"onear":[{"equiv":["boat","of"]},"ship"]}]} ¦ ¦ d1
                    title contains near("of", "ship", !"the")            ¦ {"contains":["title",{"near":["of","ship",{"not":["the"]}]}]} ¦ ¦
                    title contains near("of", "ship", !"sea")            ¦ {"contains":["title",{"near":["of","ship",{"not":["sea"]}]}]} ¦ ¦ d1
                    title contains ({exclusionDistance: 1}near("release", "5", !"ship")) ¦ {"contains":["title",{"near":{"children":["release","5",{"not":["ship"]}],"attributes":{"exclusionDistance":1}}}]} ¦ ¦ d1
                    title contains ({distance: 4, exclusionDistance: 9}near("release", "5", !"ship")) ¦ {"contains":["title",{"near":{"children":["release","5",{"not":["ship"]}],"attributes":{"distance":4,"exclusionDistance":9}}}]} ¦ ¦
                    title contains equiv("boat", "ship")                 ¦ {"contains":["title",{"equiv":["boat","ship"]}]} ¦ ¦ d1 d2
                    title contains equiv("boat", phrase("the", "ship"))  ¦ {"contains":["title",{"equiv":["boat",{"phrase":["the","ship"]}]}]} ¦ ¦ d1 d2
                    """)
    void phraseNearAndEquivTakeTheirContents(
            String yql, String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains near(!"of", "ship")                ¦ {"contains":["title",{"near":[{"not":["of"]},"ship"]}]}
                    title contains near(!"of")                        ¦ {"contains":["title",{"near":[{"not":["of"]}]}]}
                    """)
    void negativeTermsOfNearComeLastAndNotAlone(String yql, String json) throws Exception {
        refuses(yql, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains fuzzy("shipp")                      ¦ {"contains":["title",{"fuzzy":["shipp"]}]}
                    lines contains fuzzy("thre")                      ¦ {"contains":["lines",{"fuzzy":["thre"]}]}
                    texts contains fuzzy("thre")                      ¦ {"contains":["texts",{"fuzzy":["thre"]}]}
                    year contains fuzzy("2001")                       ¦ {"contains":["year",{"fuzzy":["2001"]}]}
                    ints contains fuzzy("5")                          ¦ {"contains":["ints",{"fuzzy":["5"]}]}
                    flags contains fuzzy("tru")                       ¦ {"contains":["flags",{"fuzzy":["tru"]}]}
                    pos contains fuzzy("x")                           ¦ {"contains":["pos",{"fuzzy":["x"]}]}
                    vector contains fuzzy("x")                        ¦ {"contains":["vector",{"fuzzy":["x"]}]}
                    name contains fuzzy("")                           ¦ {"contains":["name",{"fuzzy":[""]}]}
                    title contains ({token: true}fuzzy(""))           ¦ {"contains":["title",{"fuzzy":{"children":[""],"attributes":{"token":true}}}]}
                    """)
    void fuzzyIsForStringAttributesAndNotForEmptyText(String yql, String json) throws Exception {
        refuses(yql, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    name contains fuzzy("grean")                      ¦ {"contains":["name",{"fuzzy":["grean"]}]}                 ¦ ¦ d3
                    names contains fuzzy("rad")                       ¦ {"contains":["names",{"fuzzy":["rad"]}]}                  ¦ ¦ d1
                    title contains ({token: true}fuzzy("shipp"))       ¦ {"contains":["title",{"fuzzy":{"children":["shipp"],"attributes":{"token":true}}}]} ¦ ¦ d1
                    """)
    void fuzzyComparesAttributesAndWithTokenWordsOfTexts(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    part contains ({prefix: true}"ground")            ¦ {"contains":{"children":["part","ground"],"attributes":{"prefix":true}}} ¦ part:ground* ¦ d1
                    part contains ({prefix: true}"under")             ¦ {"contains":{"children":["part","under"],"attributes":{"prefix":true}}} ¦ part:under* ¦ d1
                    part contains "ergro"                             ¦ {"contains":["part","ergro"]}                             ¦ part:ergro ¦ d1
                    """)
    void aPrefixOfASubstringFieldMatchesAnywhereInAWord(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    nearestNeighbor(vector, q)                        ¦ {"nearestNeighbor":["vector","q"]}
                    {targetHits: 1, totalTargetHits: 1}nearestNeighbor(vector, q) ¦ {"nearestNeighbor":{"children":["vector","q"],"attributes":{"targetHits":1,"totalTargetHits":1}}}
                    """)
    void nearestNeighborWithoutTargetHitsOrWithBothKindsIs400(String yql, String json)
            throws Exception {
        refuses(yql, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    {targetHits: 1}nearestNeighbor(vector, q)         ¦ {"nearestNeighbor":{"children":["vector","q"],"attributes":{"targetHits":1}}} ¦ ¦ d1
                    {totalTargetHits: 1}nearestNeighbor(vector, q)    ¦ {"nearestNeighbor":{"children":["vector","q"],"attributes":{"totalTargetHits":1}}} ¦ ¦ d1
                    """)
    void nearestNeighborTakesOneOfTargetHitsAndTotalTargetHits(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    lines contains sameElement("two" and ("one" or "three")) ¦ {"contains":["lines",{"sameElement":[{"and":["two",{"or":["one","three"]}]}]}]} ¦ ¦ d1 d2
                    lines contains sameElement("two" and "three")           ¦ {"contains":["lines",{"sameElement":[{"and":["two","three"]}]}]} ¦ ¦
                    lines contains sameElement("two" and !"5")              ¦ {"contains":["lines",{"sameElement":[{"and":["two",{"not":["5"]}]}]}]} ¦ ¦ d1
                    lines contains sameElement("one" and ("two" or "six") and !"5") ¦ {"contains":["lines",{"sameElement":[{"and":["one",{"or":["two","six"]},{"not":["5"]}]}]}]} ¦ ¦ d1
                    lines contains sameElement(rank("three", "two"))        ¦ {"contains":["lines",{"sameElement":[{"rank":["three","two"]}]}]} ¦ ¦ d1 d2
                    lines contains sameElement(phrase("two", "one"))        ¦ {"contains":["lines",{"sameElement":[{"phrase":["two","one"]}]}]} ¦ ¦ d2
                    lines contains sameElement(near("one", "two"))          ¦ {"contains":["lines",{"sameElement":[{"near":["one","two"]}]}]} ¦ ¦ d1 d2
                    lines contains sameElement(onear("one", "two"))         ¦ {"contains":["lines",{"sameElement":[{"onear":["one","two"]}]}]} ¦ ¦ d1
                    lines contains sameElement(equiv("six", "5"))           ¦ {"contains":["lines",{"sameElement":[{"equiv":["six","5"]}]}]} ¦ ¦ d2
                    lines contains sameElement(phrase("two", "one") and near("one", "5")) ¦ {"contains":["lines",{"sameElement":[{"and":[{"phrase":["two","one"]},{"near":["one","5"]}]}]}]} ¦ ¦ d2
                    """)
    void sameElementOfStringsTakesNestedConditionsOfOneElement(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains "the-ship"    ¦ {"contains":["title","the-ship"]} ¦          ¦ d1
                    title contains "ship-the"    ¦ {"contains":["title","ship-the"]} ¦          ¦
                    name contains "red-house"    ¦ {"contains":["name","red-house"]} ¦          ¦
                    name contains "red house"    ¦ {"contains":["name","red house"]} ¦          ¦ d1
                    """)
    void aUnitOfWordsInYqlIsAPhraseOfATextAndWholeInAnAttribute(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        finds(yql, json, simple, ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            emptyValue = "",
            textBlock =
                    """
                    title:ship-the      ¦ d1
                    title:"ship-the"    ¦ ``
                    title:"the-ship"    ¦ d1
                    title:sea-ship      ¦ ``
                    (title:ship-the title:boat) ¦ d1 d2
                    title:boat -title:ship-the ¦ d2
                    """)
    void allWordsOfAUnitMatchInSimpleQueries(String query, String ids) throws Exception {
        assertThat(ids("query", query)).isEqualTo(ids);
    }

    private void finds(
            String yql, @Nullable String json, @Nullable String simple, @Nullable String ids)
            throws Exception {
        String expected = ids == null ? "" : ids;
        assertThat(ids("yql", "select * from s where " + yql)).as(yql).isEqualTo(expected);
        if (json != null) {
            assertThat(ids("select.where", json)).as(json).isEqualTo(expected);
        }
        if (simple != null) {
            assertThat(ids("query", simple)).as(simple).isEqualTo(expected);
        }
    }

    private String ids(String parameter, String condition) throws Exception {
        return StreamingServer.ids(server.root(parameters(parameter, condition))).stream()
                .sorted()
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }

    private void refuses(String yql, @Nullable String json) throws Exception {
        Http.Answer answer = server.search(parameters("yql", "select * from s where " + yql));
        assertThat(answer.status()).as("%s: %s", yql, answer).isEqualTo(400);
        if (json != null) {
            Http.Answer ofJson = server.search(parameters("select.where", json));
            assertThat(ofJson.status()).as("%s: %s", json, ofJson).isEqualTo(400);
        }
    }

    private static String[] parameters(String parameter, String condition) {
        var all = new ArrayList<String>();
        all.addAll(List.of("streaming.groupname", "g", "ranking", "near"));
        all.addAll(List.of("input.query(q)", "[1,1]", parameter, condition));
        return all.toArray(String[]::new);
    }
}
