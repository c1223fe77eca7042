package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What every operator of the specification finds, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorVectorsIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct person { field name type string {} field born type int {} }
                field title type string { indexing: index | summary }
                field name type string { indexing: attribute | summary }
                field code type string {
                  indexing: attribute | summary
                  match: cased
                }
                field lines type array<string> { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field price type double { indexing: attribute | summary }
                field done type bool { indexing: attribute | summary }
                field ints type array<int> { indexing: attribute | summary }
                field items type weightedset<string> { indexing: attribute | summary }
                field weights type weightedset<int> { indexing: attribute | summary }
                field pos type position { indexing: attribute | summary }
                field people type array<person> { indexing: index | summary }
                field links type map<string, string> { indexing: index | summary }
                field url type uri {
                  indexing: index | summary
                  alias: site
                  alias people.name: person-name
                  alias default: all.words
                  alias marks: ticks
                }
                field label type string {
                  indexing: attribute | summary
                  match { exact exact-terminator: ";;" }
                }
                field mark type string {
                  indexing: index | summary
                  match: exact
                }
                field vector type tensor<float>(x[2]) { indexing: attribute }
              }
              fieldset default { fields: title, lines }
              fieldset joined { fields: title, lines query-command: phrase-segmenting }
              fieldset marks { fields: mark query-command: "exact" }
              rank-profile near {
                inputs { query(q) tensor<float>(x[2]) }
                first-phase { expression: closeness(field, vector) + 0 * sum(query(q)) }
              }
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
                {"title":"The quick brown fox jumps over the lazy dog","name":"Red House",
                 "code":"Ab","lines":["one two","three"],"year":2000,"price":1.5,"done":true,
                 "ints":[1,2],"items":{"a":10,"b":3},"weights":{"7":2},
                 "pos":{"lat":63.4,"lng":10.4},
                 "people":[{"name":"Ada Lovelace","born":1815},{"name":"Alan","born":1912}],
                 "links":{"home":"https://a.example/x","work":"none"},
                 "url":"https://www.example.com/path/page","vector":[1,0],
                 "label":"two (words)","mark":"\\"a"}\
                """);
        server.put(
                "n/s/group/g/d2",
                """
                {"title":"A dog, a cat and a fox","name":"red","code":"ab","lines":["three four"],
                 "year":2005,"price":-2.5,"done":false,"ints":[5],"items":{"b":4},
                 "weights":{"7":1,"8":5},"pos":{"lat":63.5,"lng":10.4},
                 "people":[{"name":"Ada","born":1912}],"links":{"home":"none"},"vector":[3,4]}\
                """);
        server.put("n/s/group/g/d3", "{\"title\":\"Passé\",\"year\":2010,\"vector\":[0,9]}");
    }

    /** The condition, other parameters, and what it finds. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    title contains "FOX"                                ¦ ¦ d1 d2
                    title contains "passe"                              ¦ ¦ d3
                    title contains "brown fox"                          ¦ ¦ d1
                    title contains "fox brown"                          ¦ ¦
                    title contains ({andSegmenting: true}"fox brown")   ¦ ¦ d1
                    name contains "red house"                           ¦ ¦ d1
                    name contains "red"                                 ¦ ¦ d2
                    code contains "ab"                                  ¦ ¦ d2
                    title contains phrase("quick", fuzzy("brwn"), "fox") ¦ ¦ d1
                    title contains phrase("quick", regex("^b"), regex("x$")) ¦ ¦ d1
                    title contains phrase("quick", regex("^f"))         ¦ ¦
                    title contains near("fox", fuzzy("quik"))           ¦ ¦ d1
                    title contains near(regex("^c.t$"), "dog")          ¦ ¦ d2
                    title contains near("dog", "cat", !regex("^an"))    ¦ ¦
                    title matches ({token: true}"^c.t$")                ¦ ¦ d2
                    title matches "^c.t$"                               ¦ ¦
                    title contains ({token: true, maxEditDistance: 1}fuzzy("bron")) ¦ ¦ d1
                    name matches ({token: true}"^h")                    ¦ ¦ d1
                    people.name matches ({token: true}"^love")          ¦ ¦ d1
                    people contains sameElement(name contains phrase("ada", regex("^l")), born > 1800) ¦ ¦ d1
                    title contains ({prefix: true}"ju")                 ¦ ¦ d1
                    title contains ({suffix: true}"umps")               ¦ ¦ d1
                    title contains ({substring: true}"ump")             ¦ ¦ d1
                    name contains ({prefix: true}"red")                 ¦ ¦ d1 d2
                    title contains phrase("quick", "brown", "fox")      ¦ ¦ d1
                    title contains phrase("quick", phrase("brown"))     ¦ ¦ d1
                    title contains phrase({prefix: true}"qui", "brown", {suffix: true}"ox") ¦ ¦ d1
                    title contains phrase({prefix: true}"qui", "fox")   ¦ ¦
                    title contains phrase("a", {prefix: true}"c", "and a") ¦ ¦ d2
                    {prefix: true}title contains "ju"                   ¦ ¦ d1
                    {stem: false}(title contains "fox")                 ¦ ¦ d1 d2
                    lines contains phrase("two", "three")               ¦ ¦
                    title contains near("fox", "quick")                 ¦ ¦ d1
                    title contains onear("fox", "quick")                ¦ ¦
                    title contains ({distance: 3}near("dog", "cat"))    ¦ ¦ d2
                    title contains near("dog", "cat", !"and")           ¦ ¦
                    title contains ({distance: 8}near("quick", "dog"))  ¦ ¦ d1
                    title contains equiv("hen", phrase("lazy", "dog"))  ¦ ¦ d1
                    title contains alternatives({"cat": 1.0, "hen": 0.5}) ¦ ¦ d2
                    url contains uri("example.com")                     ¦ ¦ d1
                    name contains fuzzy("rid")                          ¦ ¦ d2
                    name contains ({maxEditDistance: 1, prefixLength: 2}fuzzy("rex")) ¦ ¦ d2
                    name contains ({prefix: true}fuzzy("rex"))          ¦ ¦ d1 d2
                    title contains text("cat quick")                    ¦ ¦ d1 d2
                    title contains ({grammar: "all"}text("fox quick"))  ¦ ¦ d1
                    people contains sameElement(name contains "ada", born = 1912) ¦ ¦ d2
                    people contains sameElement(name contains "ada", !(born = 1912)) ¦ ¦ d1
                    people contains sameElement(name contains phrase("ada", "lovelace")) ¦ ¦ d1
                    people contains sameElement(range(born, 1900, 2000) or name contains "lovelace") ¦ ¦ d1 d2
                    lines contains sameElement("three", "four")         ¦ ¦ d2
                    links contains sameElement(key contains "home", value contains "none") ¦ ¦ d2
                    links{"work"} contains "none"                       ¦ ¦ d1
                    links.key contains "work"                           ¦ ¦ d1
                    people.name contains "alan"                         ¦ ¦ d1
                    lines contains ({elementFilter: 1}"three")          ¦ ¦ d1
                    lines contains ({elementFilter: [0, 1]}"three")     ¦ ¦ d1 d2
                    ints[0] = 5                                         ¦ ¦ d2
                    ints[1] = 2                                         ¦ ¦ d1
                    title matches "qu.ck"                               ¦ ¦ d1
                    title matches "^a"                                  ¦ ¦ d2
                    code matches "^a"                                   ¦ ¦ d2
                    year = 2005                                         ¦ ¦ d2
                    2005 < year                                         ¦ ¦ d3
                    year >= 2005                                        ¦ ¦ d2 d3
                    price < -2                                          ¦ ¦ d2
                    ints > 4                                            ¦ ¦ d2
                    done = true                                         ¦ ¦ d1
                    range(year, 2000, 2005)                             ¦ ¦ d1 d2
                    {bounds: "leftOpen"}range(year, 2000, 2005)         ¦ ¦ d2
                    {bounds: "rightOpen"}range(year, 2000, 2005)        ¦ ¦ d1
                    {bounds: "open"}range(year, 2000, 2005)             ¦ ¦
                    range(year, 2005, Infinity)                         ¦ ¦ d2 d3
                    range(price, -Infinity, 0)                          ¦ ¦ d2
                    {hitLimit: 1}range(year, 2000, 2005)                ¦ ¦ d1 d2
                    range(year, @low, @high)                            ¦ low=2001&high=2006 ¦ d2
                    year contains "[2001;2006]"                         ¦ ¦ d2
                    year contains "<2001"                               ¦ ¦ d1
                    year in (2000, 2010)                                ¦ ¦ d1 d3
                    name in ("red", 'Red House')                        ¦ ¦ d1 d2
                    name in (@names)                                    ¦ names=red, 'x' ¦ d2
                    year in (@years)                                    ¦ years=[2000, 2010] ¦ d1 d3
                    name in (@names)                                    ¦ names=["red","x, y"] ¦ d2
                    {filter: true}ints in (5)                           ¦ ¦ d2
                    weightedSet(items, {"a": 1, "c": 2})                ¦ ¦ d1
                    weightedSet(weights, [[8, 1]])                      ¦ ¦ d2
                    weightedSet(items, @set)                            ¦ set={b:1} ¦ d1 d2
                    dotProduct(items, {"a": 1, "b": 2})                 ¦ ¦ d1 d2
                    {scoreThreshold: 10}wand(items, {"a": 1, "b": 2})   ¦ ¦ d1
                    {scoreThreshold: 16}wand(items, {"a": 1, "b": 2})   ¦ ¦
                    {targetHits: 1}nearestNeighbor(vector, q)           ¦ ranking=near&input.query(q)=[3,3] ¦ d2
                    {targetHits: 3, distanceThreshold: 3}nearestNeighbor(vector, q) ¦ ranking=near&input.query(q)=[1,1] ¦ d1
                    {targetHits: 1}nearestNeighbor(vector, q) and year < 2005 ¦ ranking=near&input.query(q)=[3,3] ¦ d1
                    geoLocation(pos, 63.4, 10.4, "5 km")                ¦ ¦ d1
                    geoLocation(pos, 63.4, 10.4, "20 km")               ¦ ¦ d1 d2
                    geoLocation(pos, "N63.4", "E10.4", "5 miles")       ¦ ¦ d1
                    geoLocation(pos, 63.4, 10.4, "0.2 deg")             ¦ ¦ d1 d2
                    geoLocation(pos, 0, 0, "-1 m")                      ¦ ¦ d1 d2
                    geoLocation("pos", "E10.4", "N63.4", "5 km")        ¦ ¦ d1
                    geoBoundingBox(pos, 63.45, 10, 64, 11)              ¦ ¦ d2
                    geoBoundingBox("pos", 63.45, 10, 64, 11)            ¦ ¦ d2
                    "year" = 2005 or "title" contains "passe"           ¦ ¦ d2 d3
                    lines contains sameElement("three" and !"four")     ¦ ¦ d1
                    people contains sameElement(name contains "ada" and ("lovelace" or born = 1912)) ¦ ¦ d1 d2
                    ints contains sameElement(5 or 2)                   ¦ ¦ d1 d2
                    people contains sameElement(born = 1815 and !(name = 1815)) ¦ ¦ d1
                    weakAnd(title = 7, name contains "red")             ¦ ¦ d2
                    title in (7) or title = 7.5 or links{"home"} = 7    ¦ ¦
                    lines[1] = "three" and people[0].name contains "ada" ¦ ¦ d1
                    true                                                ¦ pos.ll=N63.4;E10.4&pos.radius=5km ¦ d1
                    true                                                ¦ pos.ll=63.4;10.4 ¦ d1 d2
                    true                                                ¦ pos.ll=10E24;63N24&pos.radius=5km ¦ d1
                    title contains "cat"                                ¦ pos.ll=63.4;10.4&pos.radius=5 km&pos.attribute=pos ¦
                    true                                                ¦ pos.xy=10400000;63500000&pos.radius=1000 ¦ d2
                    true                                                ¦ pos.bb=n=64,s=63.45,e=11,w=10 ¦ d2
                    true                                                ¦ ranking.location=(2,10400000,63400000,50000,0,1,0) ¦ d1
                    true                                                ¦ ranking.location=pos:[2,10000000,63450000,11000000,64000000] ¦ d2
                    {targetHits: 1}nearestNeighbor(vector, q)           ¦ ranking=near&input.query(q)=[3,3]&pos.ll=63.4;10.4&pos.radius=5km ¦ d1
                    true                                                ¦ ranking=near&relatedTo.id=id:n:s:g=g:d1&relatedTo.embeddingField=vector&hits=1 ¦ d2
                    year in (2000, 2010)                                ¦ ranking=near&relatedTo.id=id:n:s:g=g:d1&relatedTo.embeddingField=vector&hits=1 ¦ d3
                    true                                                ¦ ranking=near&relatedTo.id=id:n:s:g=g:d1&relatedTo.embeddingField=vector&relatedTo.excludeSource=false&hits=2 ¦ d1 d2
                    true                                                ¦ ranking=near&relatedTo.id=red&relatedTo.idField=name&relatedTo.embeddingField=vector&relatedTo.queryTensorName=q&hits=1 ¦ d1
                    rank(title contains "cat", title contains "fox")    ¦ ¦ d2
                    weakAnd(title contains "cat", title contains "quick") ¦ ¦ d1 d2
                    nonEmpty(title contains "cat")                      ¦ ¦ d2
                    userInput("+fox -cat")                              ¦ ¦ d1
                    userInput(@words)                                   ¦ words=three ¦ d1 d2
                    {grammar: "all"}userInput("dog cat")                ¦ ¦ d2
                    {defaultIndex: "name"}userInput("red")              ¦ ¦ d2
                    {allowEmpty: true}userInput("")                     ¦ ¦
                    userQuery()                                         ¦ query=cat ¦ d2
                    true                                                ¦ ¦ d1 d2 d3
                    false                                               ¦ ¦
                    !(title contains "fox")                             ¦ ¦ d3
                    title contains "fox" and !(title contains "cat")    ¦ ¦ d1
                    (year = 2000 or year = 2010) and title contains "fox" ¦ ¦ d1
                    sddocname contains "s"                              ¦ ¦ d1 d2 d3
                    sddocname contains "t"                              ¦ ¦
                    sddocname in ("t", "s") and year = 2000             ¦ ¦ d1
                    userQuery()                                         ¦ query=+sddocname:s cat&type=all ¦ d2
                    userQuery()                                         ¦ query=sddocname:s cat ¦ d2
                    userQuery()                                         ¦ query=sddocname:t cat ¦
                    weakAnd(sddocname contains "t", default contains "cat") ¦ ¦ d2
                    userQuery()                                         ¦ query=cat -sddocname:t ¦ d2
                    userQuery()                                         ¦ query=cat -sddocname:s ¦
                    userQuery()                                         ¦ query=sddocname:s ¦ d1 d2 d3
                    userQuery()                                         ¦ query=sddocname:t cat&type=any ¦ d2
                    userQuery()                                         ¦ query=sddocname:s cat&type=any ¦ d1 d2 d3
                    userQuery()                                         ¦ query=label:two (words);; cat&type=all ¦
                    userQuery()                                         ¦ query=label:two (words);; fox&type=all ¦ d1
                    userQuery()                                         ¦ query=fox label:Two (words) ¦ d1 d2
                    userQuery()                                         ¦ query=+label:two (words);; cat&type=any ¦ d1
                    userQuery()                                         ¦ query=cat -label:two (words) ¦ d2
                    userInput("label:two (words)")                      ¦ ¦ d1
                    {defaultIndex: "label"}userInput("two (words);;")   ¦ ¦ d1
                    label contains "two (words)"                        ¦ ¦ d1
                    label contains "two (words);;"                      ¦ ¦
                    userQuery()                                         ¦ query=mark:"a@@ cat&type=any ¦ d1 d2
                    userQuery()                                         ¦ query=marks:"a cat&type=any ¦ d1 d2
                    userQuery()                                         ¦ query=joined:brown-fox ¦ d1
                    userQuery()                                         ¦ query=joined:fox-brown ¦
                    userQuery()                                         ¦ query=fox-brown ¦ d1
                    site contains "example"                             ¦ ¦ d1
                    all.words contains "fox"                            ¦ ¦ d1 d2
                    all.words contains phrase("a", "fox")               ¦ ¦ d2
                    userQuery()                                         ¦ query=person-name:alan ¦ d1
                    userQuery()                                         ¦ query=all.words:passe ¦ d3
                    userQuery()                                         ¦ query=ticks:"a ¦ d1
                    userQuery()                                         ¦ query=cat&default-index=all.words ¦ d2
                    userInput("quick-cat")                              ¦ ¦
                    userInput("quick-fox hen")                          ¦ ¦ d1
                    userQuery()                                         ¦ query=quick-cat hen ¦
                    userQuery()                                         ¦ query=cat -./fox ¦ d1 d2
                    title contains @word                                ¦ word=cat ¦ d2
                    """)
    void finds(String where, String more, String expected) throws Exception {
        JsonNode root = server.root(parameters(where, more));

        assertThat(String.join(" ", StreamingServer.ids(root)))
                .isEqualTo(expected == null ? "" : expected);
        assertThat(root.path("errors").isEmpty()).as("%s", root).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            textBlock =
                    """
                    lines contains fuzzy("three")                       ¦ fuzzy() is for attributes, and field 'lines' of 's' has none
                    default contains fuzzy("three")                     ¦ fuzzy() is for attributes, and field 'default' of 's' has none
                    year contains fuzzy("2000")                         ¦ fuzzy() is for texts, and field 'year' is of type int
                    name contains fuzzy("")                             ¦ fuzzy() got an empty text
                    title < 5                                           ¦ field 'title' of type string cannot be searched this way
                    ints[-1] = 2                                        ¦ element ids must be integer and non-negative, got -1
                    ints[0.5] = 2                                       ¦ element ids must be integer and non-negative, got 0.5
                    geoLocation("pos", 63.4, 10.4, "5")                 ¦ expected a number and km, m, miles, mi, deg or d
                    nearestNeighbor(vector, q)                          ¦ expected {targetHits: a number} before nearestNeighbor()
                    {targetHits: 1, totalTargetHits: 1}nearestNeighbor(vector, q) ¦ expected one of targetHits and totalTargetHits, got both
                    """)
    void refuses(String where, String problem) throws Exception {
        Http.Answer answer = server.search(parameters(where, "timeout=10s"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().toString()).contains(problem);
    }

    private static String[] parameters(String where, String more) {
        var all = new ArrayList<String>(List.of("streaming.groupname", "g", "yql"));
        all.add("select * from s where " + where + " order by '[docid]'");
        if (more != null) {
            all.addAll(StreamingServer.pairs(more));
        }
        return all.toArray(String[]::new);
    }
}
