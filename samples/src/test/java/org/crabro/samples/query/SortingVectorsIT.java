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
import tools.jackson.databind.JsonNode;

/** What the specification says of orders, over HTTP: all that may stand in one, and all errors. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SortingVectorsIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct person { field name type string {} field born type int {} }
                field year type int { indexing: attribute | summary }
                field ratio type float { indexing: attribute | summary }
                field done type bool { indexing: attribute | summary }
                field name type string { indexing: attribute | summary }
                field swedish type string {
                  indexing: attribute | summary
                  sorting { function: uca locale: sv strength: tertiary }
                }
                field ints type array<int> { indexing: attribute | summary }
                field reals type array<double> { indexing: attribute | summary }
                field floats type array<float> { indexing: attribute | summary }
                field words type array<string> { indexing: attribute | summary }
                field weights type weightedset<int> { indexing: attribute | summary }
                field boss type person { indexing: summary | index }
                field people type array<person> { indexing: summary | index }
                field prices type map<string, int> { indexing: summary | index }
                field staff type map<string, person> { indexing: summary | index }
                field vector type tensor<float>(x[2]) { indexing: attribute }
              }
              rank-profile year { first-phase { expression: attribute(year) } }
            }
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA));
        server.put(
                "n/s/group/g/d0",
                """
                {"year":2010,"ratio":0.5,"done":true,"name":"ost","swedish":"ost",
                 "ints":[5,1,5],"reals":[0.5,0.25],"floats":[1.5,-1.5],"words":["b","Z"],
                 "weights":{"7":1,"2":9},"boss":{"name":"b","born":3},"prices":{"x":5,"y":1},
                 "people":[{"name":"b","born":5},{"name":"Z","born":1},{"name":"q"}],
                 "staff":{"x":{"born":5},"y":{"born":1}}}\
                """);
        server.put("n/s/group/g/d1", "{\"name\":\"öl\",\"swedish\":\"öl\"}");
        server.put(
                "n/s/group/g/d2",
                """
                {"year":2008,"ratio":-1.5,"done":false,"name":"Ost","swedish":"Ost",
                 "ints":[2147483647,2147483647],"reals":[9],"floats":[0.25],"words":["a"],
                 "weights":{"8":1},"boss":{"name":"c","born":2},"prices":{"x":7},
                 "people":[{"name":"a","born":9}],"staff":{"z":{"born":2}}}\
                """);
        server.put(
                "n/s/group/g/d3",
                """
                {"year":2020,"ratio":0.5,"done":false,"name":"zebra","swedish":"zebra",
                 "ints":[4],"reals":[0.5,0.5,-8],"floats":[0.5],"words":["c"],
                 "weights":{"1":1,"3":1,"4":1},"boss":{"name":"a","born":1},"prices":{"x":1},
                 "people":[{"name":"e"},{"name":"c","born":4}]}\
                """);
    }

    /** Sortings, or what stands behind {@code order by}, with other parameters behind a bar. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    year                                    |             | d1 d2 d0 d3
                    +year                                   |             | d1 d2 d0 d3
                    -year                                   |             | d3 d0 d2 d1
                    -[year]                                 |             | d3 d0 d2 d1
                    missing([boss.born],last)               |             | d3 d2 d0 d1
                    -ratio +year                            |             | d0 d3 d2 d1
                    -done -year                             |             | d0 d3 d2 d1
                    [relevance]                             | year        | d3 d0 d2 d1
                    +[rank]                                 | year        | d1 d2 d0 d3
                    -[relevancy]                            | year        | d3 d0 d2 d1
                    [docid]                                 |             | d0 d1 d2 d3
                    -[docid]                                |             | d3 d2 d1 d0
                    [source] -year                          |             | d3 d0 d2 d1
                    name                                    |             | d0 d2 d3 d1
                    raw(name)                               |             | d2 d0 d3 d1
                    LOWERCASE(name) -[docid]                |             | d2 d0 d3 d1
                    uca(name)                               |             | d1 d0 d2 d3
                    uca(name,sv)                            |             | d0 d2 d3 d1
                    uca(name,sv,primary)                    |             | d0 d2 d3 d1
                    -uca(name,sv,tertiary)                  |             | d1 d3 d2 d0
                    uca(name,en,identical)                  |             | d1 d0 d2 d3
                    name                                    | language=de | d1 d0 d2 d3
                    name                                    | locale=sv   | d0 d2 d3 d1
                    swedish                                 | language=de | d0 d2 d3 d1
                    -swedish                                |             | d1 d3 d2 d0
                    missing(year,last)                      |             | d2 d0 d3 d1
                    -missing(year,first)                    |             | d1 d3 d0 d2
                    -missing(year,as,2017)                  |             | d3 d1 d0 d2
                    missing(ratio,as,0.25)                  |             | d2 d1 d0 d3
                    missing(raw(name),as,"x")               |             | d2 d0 d3 d1
                    ints                                    |             | d0 d3 d2 d1
                    -ints                                   |             | d2 d0 d3 d1
                    missing(ints,first)                     |             | d1 d0 d3 d2
                    weights                                 |             | d3 d0 d2 d1
                    -weights                                |             | d2 d0 d3 d1
                    words                                   |             | d2 d0 d3 d1
                    -words                                  |             | d0 d3 d2 d1
                    -raw(words)                             |             | d3 d0 d2 d1
                    min(ints)                               |             | d0 d3 d2 d1
                    -min(ints)                              |             | d2 d3 d0 d1
                    max(ints)                               |             | d3 d0 d2 d1
                    -max(ints)                              |             | d2 d0 d3 d1
                    sum(ints)                               |             | d3 d0 d2 d1
                    -sum(ints)                              |             | d2 d0 d3 d1
                    -missing(sum(ints),as,10)               |             | d2 d0 d1 d3
                    -missing(sum(ints),first)               |             | d1 d2 d0 d3
                    sum(reals)                              |             | d3 d0 d2 d1
                    -sum(floats)                            |             | d3 d2 d0 d1
                    sum(weights) -[docid]                   |             | d3 d2 d0 d1
                    min(words)                              |             | d2 d0 d3 d1
                    -min(words) max(ints)                   |             | d3 d0 d2 d1
                    sum(year)                               |             | d1 d2 d0 d3
                    -min(weights) -max(weights)             |             | d2 d0 d3 d1
                    boss.name                               |             | d1 d3 d0 d2
                    -boss.born                              |             | d0 d2 d3 d1
                    prices{x}                               |             | d1 d3 d0 d2
                    -prices{"x"}                            |             | d2 d0 d3 d1
                    missing(prices{y},last)                 |             | d0 d1 d2 d3
                    people.born                             |             | d0 d3 d2 d1
                    -people.born                            |             | d2 d0 d3 d1
                    sum(people.born)                        |             | d3 d0 d2 d1
                    missing(people.born,first)              |             | d1 d0 d3 d2
                    -missing(sum(people.born),as,7)         |             | d2 d1 d0 d3
                    people.name                             |             | d2 d0 d3 d1
                    -people.name                            |             | d0 d3 d2 d1
                    -uca(people.name,sv)                    |             | d0 d3 d2 d1
                    prices.value                            |             | d0 d3 d2 d1
                    -sum(prices.value)                      |             | d2 d0 d3 d1
                    -prices.key                             |             | d0 d2 d3 d1
                    max(staff.value.born)                   |             | d2 d0 d1 d3
                    order by {mode: "min"}people.born desc  |             | d2 d3 d0 d1
                    order by year desc, name                |             | d3 d0 d2 d1
                    order by "[rank]"                       | year        | d3 d0 d2 d1
                    order by "[docid]" desc                 |             | d3 d2 d1 d0
                    order by {function: "raw"}name          |             | d2 d0 d3 d1
                    order by [{"function": "uca", "locale": "sv", "strength": "TERTIARY"}]name desc | | d1 d3 d2 d0
                    order by {mode: "sum"}ints desc         |             | d2 d0 d3 d1
                    order by {mode: "min"}ints desc         |             | d2 d3 d0 d1
                    order by {mode: "max", function: "raw"}words desc | | d3 d0 d2 d1
                    order by prices{"x"} desc               |             | d2 d0 d3 d1
                    """)
    void putsInOrder(String order, String more, String expected) throws Exception {
        JsonNode root = server.root(parameters(order, more));

        assertThat(StreamingServer.ids(root)).containsExactly(expected.split(" ", -1));
        assertThat(root.has("errors")).as("%s", root).isFalse();
        assertThat(pages(order, more)).containsExactly(expected.split(" ", -1));
    }

    /** Returns what comes a hit at a time, each behind the one before. */
    private List<String> pages(String order, String more) throws Exception {
        var ids = new ArrayList<String>();
        String after = "";
        while (true) {
            JsonNode root = server.root(parameters(order, more, "hits", "1", "after", after));
            ids.addAll(StreamingServer.ids(root));
            if (!root.path("fields").has("after")) {
                return ids;
            }
            after = root.path("fields").path("after").asString();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    upper(name)                  | expected lowercase, raw, uca, missing, min, max or sum but found 'upper'
                    uca(name,sv,strong)          | expected a strength of primary, secondary, tertiary, quaternary, identical, got 'strong'
                    uca(name,12345678901)        | expected a language tag
                    uca(name,sv,primary,x)       | uca() expects 1 to 3 arguments but got 4
                    missing(year)                | missing() expects first, last, or as and a value, but found ''
                    missing(year,never)          | missing() expects first, last, or as and a value, but found 'never'
                    missing(year,as)             | missing() expects 3 arguments but got 2
                    missing(year,as,old)         | cannot sort by 'year' with 'old' for missing values: expected a number
                    sum(ints,2)                  | sum() expects 1 arguments but got 2
                    sum([rank])                  | sum() is for fields
                    sum(words)                   | cannot sort by the sum of 'words' of type array<string>: only numbers have one
                    1year                        | expected a field or [relevance], with + or - before it, but found '1year'
                    [rank                        | expected a field or [relevance]
                    missing(year,last            | expected ')' at the end
                    vector                       | tensors have no order
                    order by {function: "up"}name | expected uca, lowercase or raw for annotation 'function', got "up"
                    order by {mode: "avg"}ints   | expected min, max or sum for annotation 'mode', got "avg"
                    order by "[now]"             | expected [rank], [docid], [source] or a field
                    """)
    void refusesWhatIsNoOrder(String order, String problem) throws Exception {
        Http.Answer answer = server.search(parameters(order, null));

        assertThat(answer.status()).as("%s", answer).isEqualTo(400);
        assertThat(answer.body().path("root").path("errors").path(0).path("message").asString())
                .contains(problem);
    }

    private static String[] parameters(String order, @Nullable String more, String... others) {
        boolean isYql = order.startsWith("order by");
        var all = new ArrayList<String>(List.of("streaming.groupname", "g", "yql"));
        all.add("select * from s where true" + (isYql ? " " + order : ""));
        if (!isYql) {
            all.addAll(List.of("sorting", order));
        }
        if (more != null) {
            int equals = more.indexOf('=');
            all.addAll(
                    equals < 0
                            ? List.of("ranking", more)
                            : List.of(more.substring(0, equals), more.substring(equals + 1)));
        }
        all.addAll(List.of(others));
        return all.toArray(String[]::new);
    }
}
