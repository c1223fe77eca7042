package org.crabro.container.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.search.TextOrder;
import org.crabro.ranking.program.StringValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchHandlerTest {
    private static final String ALL = "yql=select * from music where true&streaming.groupname=g";

    private final SearchServer server = new SearchServer();

    @BeforeEach
    void start() throws Exception {
        server.start(SearchSettings.DEFAULT);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void answersWithHits() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(5, hit("music", "1", 0.5, Map.of("title", text("Blue")))));

        String response = server.get("/search/?" + SearchServer.encoded(ALL));

        assertThat(response)
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Type: application/json;charset=utf-8")
                .contains("Content-Length: ")
                .endsWith(
                        """
                        {"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":5},\
                        "coverage":{"coverage":100,"documents":10,"full":true,"nodes":1,\
                        "results":1,"resultsFull":1},"children":[{"id":"id:n:music:g=g:1",\
                        "relevance":0.5,"source":"songs","fields":{"sddocname":"music",\
                        "documentid":"id:n:music:g=g:1","title":"Blue"}}]}}\
                        """);
        assertThat(server.registry().counter("queries").count()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    query=a b&filter=+c -d e       | (rank (without (and (weakand default:a default:b) {filter}default:c) {filter}default:d) default:e)
                    query=a&type=all&recall=+b -title:c | (without (and default:a {filter}default:b) {filter}title:c)
                    yql=select * from music where userQuery() and year > 1&query=a&filter=-b | (without (and default:a (range year <1;])) {filter}default:b)
                    yql=select * from music where title contains "a"&recall=+b | (and title:a {filter}default:b)
                    select.where={"contains":["title","a"]}&recall=-b | (without title:a {filter}default:b)
                    """)
    void addsConditionsOfOtherParameters(String query, String tree) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(query + "&restrict=music&streaming.groupname=g"));

        assertThat(QueryText.of(server.asked().getFirst().query().tree())).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    streaming.groupnames=b, a,b
                    streaming.groupnames=["b","a"]
                    streaming.selection=(id.group == "b" or id.group=='a')
                    """)
    void searchesSeveralGroups(String scope) throws Exception {
        server.get(
                "/search/?" + SearchServer.encoded("yql=select * from music where true&" + scope));

        assertThat(server.asked().getFirst().scope().documents())
                .isEqualTo(new Scope.Several(List.of(new Scope.Group("b"), new Scope.Group("a"))));
    }

    @Test
    void readsConditionsGroupingsAndFieldsOfPostedObjects() throws Exception {
        server.post(
                "/search/",
                "application/json",
                """
                {"select": {"where": {"range": ["year", {">": 1990}]}, "fields": ["title"],
                  "grouping": [{"all": {"group": "year", "each": {"output": "count()"}}}]},
                 "restrict": "music", "streaming.groupname": "g"}
                """);

        SearchRequest request = server.asked().getFirst();
        assertThat(QueryText.of(request.query().tree())).isEqualTo("(range year <1990;])");
        assertThat(request.hits().summary().fields()).containsExactly("title");
        assertThat(request.grouping().requests()).hasSize(1);
    }

    @Test
    void writesCborToThoseWhoWouldRatherReadIt() throws Exception {
        String query = "/search/?" + SearchServer.encoded(ALL);

        assertThat(server.send("GET " + query + "&format=cbor HTTP/1.0\r\n\r\n"))
                .contains("Content-Type: application/cbor");
        assertThat(
                        server.send(
                                "GET "
                                        + query
                                        + " HTTP/1.0\r\nAccept: application/json;q=0.5,"
                                        + " application/cbor\r\n\r\n"))
                .contains("Content-Type: application/cbor");
        assertThat(server.send("GET " + query + " HTTP/1.0\r\nAccept: */*\r\n\r\n"))
                .contains("Content-Type: application/json");
    }

    @Test
    void handsJsonToAFunction() throws Exception {
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL + "&jsoncallback=show.it")))
                .contains("show.it({\"root\":")
                .endsWith("}});");
    }

    /** Where the query is wrong, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    format=cbor          | application/cbor                |
                    format=xml           | text/xml;charset=utf-8          | <error code="4"
                    format=page          | text/xml;charset=utf-8          | <error code="4"
                    jsoncallback=show.it | application/json;charset=utf-8  | show.it({"root":
                    format=nope          | application/json;charset=utf-8  | {"root":
                    """)
    void writesWhatIsWrongAsItWasAskedFor(String parameter, String type, String body)
            throws Exception {
        String answer =
                server.send(
                        "GET /search/?"
                                + SearchServer.encoded("yql=select&" + parameter)
                                + " HTTP/1.0\r\n\r\n");

        assertThat(answer).contains(" 400 ").contains("Content-Type: " + type);
        assertThat(answer).contains(body == null ? "query:L1:6" : body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    Benchmarkdata: true                               | true  | false
                    Benchmarkdata: false                              | true  | false
                    Benchmarkdata:                                    | true  | false
                    benchmarkdata: 1                                  | true  | false
                    Benchmarkdata: 0,Benchmarkdata-Coverage: 0        | true  | true
                    Benchmarkdata-Coverage: true                      | false | false
                    """)
    void writesBenchmarkHeadersThatARequestAsksForByPresence(
            String asked, boolean hasCounts, boolean hasCoverage) throws Exception {
        server.answer("music", SearchServer.reply(5, hit("music", "1", 0.5, Map.of())));
        var headers = new StringBuilder();
        for (String header : asked.split(",", -1)) {
            headers.append("X-Yahoo-Vespa-").append(header).append("\r\n");
        }

        String response =
                server.send(
                        "GET /search/?"
                                + SearchServer.encoded(ALL + "&hits=7&offset=0")
                                + " HTTP/1.0\r\n"
                                + headers
                                + "\r\n");

        String[] counts = {
            "NumHits: 1",
            "NumFastHits: 1",
            "QueryHits: 7",
            "QueryOffset: 0",
            "TotalHitCount: 5",
            "NumErrors: 0",
            "SearchTime: ",
            "AttributeFetchTime: 0",
            "FillTime: 0"
        };
        String[] coverage = {"DocsSearched: 10", "NodesSearched: 1", "FullCoverage: 1"};
        for (String header : counts) {
            assertThat(response.contains("X-Yahoo-Vespa-" + header))
                    .as(header)
                    .isEqualTo(hasCounts);
        }
        for (String header : coverage) {
            assertThat(response.contains("X-Yahoo-Vespa-" + header))
                    .as(header)
                    .isEqualTo(hasCoverage);
        }
    }

    @Test
    void errorsBesideHitsSetTheStatusForProgramsThatMeasure() throws Exception {
        server.answer("music", SearchServer.reply(5, hit("music", "1", 0.5, Map.of())));
        server.answer("films", new SearchReply.TimedOut());
        String query =
                "GET /search/?"
                        + SearchServer.encoded(ALL.replace("music", "sources music, films"))
                        + " HTTP/1.0\r\n";

        assertThat(server.send(query + "\r\n")).contains(" 200 ");
        assertThat(server.send(query + "X-Yahoo-Vespa-Benchmarkdata: 1\r\n\r\n"))
                .contains(" 504 ", "X-Yahoo-Vespa-NumErrors: 1", "X-Yahoo-Vespa-NumHits: 1");
    }

    @Test
    void leavesOutHitsWithTheSameValue() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(
                        9,
                        hit("music", "1", 0.9, Map.of("$artist", text("a"))),
                        hit("music", "2", 0.8, Map.of("$artist", text("b"))),
                        hit("music", "3", 0.7, Map.of("$artist", text("a"))),
                        hit("music", "4", 0.6, Map.of()),
                        hit("music", "5", 0.5, Map.of())));

        String response =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        ALL + "&collapsefield=artist&hits=3&offset=1"));

        assertThat(response)
                .contains("\"totalCount\":4")
                .contains("g=g:2", "g=g:4", "g=g:5")
                .doesNotContain("g=g:1", "g=g:3");
        assertThat(server.asked().getFirst().hits().count()).isEqualTo(10);
    }

    @Test
    void asksOneTypeOfOneGroupWithDefaults() throws Exception {
        server.get("/search?" + SearchServer.encoded(ALL));

        SearchRequest request = server.asked().getFirst();
        assertThat(request.scope().documentType()).isEqualTo("music");
        assertThat(request.scope().documents()).isEqualTo(new Scope.Group("g"));
        assertThat(request.scope().partitions()).hasSize(1);
        assertThat(request.hits().count()).isEqualTo(10);
        assertThat(request.hits().sorting()).isEmpty();
        assertThat(request.hits().summary()).isEqualTo(SummarySettings.DEFAULT);
        assertThat(request.reply().softTimeout()).isTrue();
        assertThat(request.reply().traceLevel()).isZero();
        assertThat(request.query().ranking())
                .isEqualTo(
                        new RankSettings(
                                "default",
                                Map.of(),
                                RankSettings.Statistics.GROUP,
                                SearchServer.NOW.getEpochSecond()));
    }

    @Test
    void readsEveryParameterOfAPostedObject() throws Exception {
        String response =
                server.post(
                        "/search/?hits=3",
                        "application/json; charset=utf-8",
                        """
                        {"yql": "select title from sources * where {targetHits: 4}\
                        nearestNeighbor(vector, q) and userInput(@words) limit 9 offset 2",
                         'words': "blue 'n green", "hits": 7, "restrict": "music",
                         "streaming": {"groupname": "a;b"}, "input.query(q)": [1, 2],
                         "input": {"query(other)": {"values": [3, 4]}},
                         "ranking": {"profile": "near", "features": {"query(weight)": 2.5},
                                     "softtimeout": {"enable": false}, "freshness": "now-10"},
                         "timeout": "5 s", "trace": {"level": 1}, "unheard": null}
                        """);

        assertThat(response).startsWith("HTTP/1.1 200");
        SearchRequest request = server.asked().getFirst();
        assertThat(QueryText.of(request.query().tree()))
                .isEqualTo(
                        "(and (nearest vector q 4) (weakand default:blue default:n"
                                + " default:green))");
        assertThat(request.scope().documents()).isEqualTo(new Scope.Group("a;b"));
        assertThat(request.hits().count()).isEqualTo(9);
        assertThat(request.hits().summary().fields()).containsExactly("title");
        assertThat(request.reply().softTimeout()).isFalse();
        assertThat(request.header().deadline().remaining()).isBetween(seconds(1), seconds(5));
        assertThat(request.query().ranking().profile()).isEqualTo("near");
        assertThat(request.query().ranking().nowSeconds())
                .isEqualTo(SearchServer.NOW.getEpochSecond() - 10);
        assertThat(request.query().ranking().inputs())
                .isEqualTo(
                        Map.of(
                                "q", new QueryInput.TensorInput(MusicApplication.tensor(1, 2)),
                                "other", new QueryInput.TensorInput(MusicApplication.tensor(3, 4)),
                                "weight", new QueryInput.NumberInput(2.5)));
        assertThat(response)
                .contains(
                        "{\"trace\":{\"children\":[{\"message\":\"No query profile is used\"},"
                                + "{\"message\":\"Query as written: ")
                .contains("{\"message\":\"Query as parsed: (and (nearest")
                .contains("{\"message\":\"Query as searched: (and (nearest");
    }

    @Test
    void readsFormsAndLetsTheUrlWin() throws Exception {
        server.post(
                "/search/?hits=3&query=green+tea",
                "application/x-www-form-urlencoded",
                "hits=7&query=blue&restrict=music&streaming.userid=18446744073709551615&count=5");

        SearchRequest request = server.asked().getFirst();
        assertThat(QueryText.of(request.query().tree()))
                .isEqualTo("(weakand default:green default:tea)");
        assertThat(request.hits().count()).isEqualTo(3);
        assertThat(request.scope().documents()).isEqualTo(new Scope.Numbered(-1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    input.query(q)=[1,2]                          | 1 | 2
                    input.query(q)=tensor<float>(x[2]):[1,2]      | 1 | 2
                    ranking.features.query(q)={{x:0}:1,{x:1}:2}   | 1 | 2
                    rankfeature.query(q)=[ 1 , 2 ]                | 1 | 2
                    input.query(q)={"values":[1,2]}               | 1 | 2
                    input.query(q)={"type":"tensor<float>( x[2] )","values":[1,2]} | 1 | 2
                    input.query(q)=[1e400,-1e400]                 | Infinity | -Infinity
                    input.query(q)={"values":[1e400,"-1e400"]}    | Infinity | -Infinity
                    input.query(q)=[{"address":{"x":1},"value":2}] | 0 | 2
                    input.query(q)= [ {"address":{"x":"0"},"value":1}] | 1 | 0
                    input.query(q)=                               | 0 | 0
                    input.query(q)=embed(three)                   | 5 | 1
                    input.query(q)=embed(e5, "four")              | 4 | 1
                    input.query(q)=embed(one, two)                | 8 | 1
                    input.query(q)=embed(@text)&text=a longer one | 12 | 1
                    input.query(q)=embed(e5,@text)&text=a         | 1 | 1
                    input.query(q)=embed(e5, '')                  | 0 | 0
                    """)
    void readsInputsAsTheProfileDeclaresThem(String input, double first, double second)
            throws Exception {
        server.get("/search/?" + SearchServer.encoded(ALL + "&ranking=near&" + input));

        assertThat(server.asked().getFirst().query().ranking().inputs())
                .containsEntry(
                        "q", new QueryInput.TensorInput(MusicApplication.tensor(first, second)))
                .containsEntry("other", new QueryInput.TensorInput(MusicApplication.tensor(7, 8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bm25(title)", "closest(title)", "closest(vector)", "closest(nowhere)"})
    void acceptsNumbersForFeaturesThatAreNoTensors(String feature) throws Exception {
        String response =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        ALL + "&ranking.features." + feature + "=3"));

        assertThat(response).startsWith("HTTP/1.1 200");
        assertThat(server.asked().getFirst().query().ranking().overrides().features())
                .isEqualTo(Map.of(feature, 3.0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{0:[4,2]}",
                "{\"0\":[4,2]}",
                "{'0':[4,2]}",
                "{\"0\":\"4080000040000000\"}",
                // JSON as well, but hexadecimal digits are no number there that fits.
                "{\"0\":4080000040000000}",
                "{\"blocks\":{\"0\":[4,2]}}",
                "{\"type\":\"tensor<float>(t{},x[2])\",\"blocks\":{\"0\":[4,2]}}"
            })
    void readsLabelsAsJsonAndAsWrittenInExpressions(String value) throws Exception {
        assertThat(tokens(value)).isEqualTo(tokens(4, 2));
    }

    @Test
    void embedsWithLabelsWhereTheInputHasSome() throws Exception {
        assertThat(tokens("embed(e5, 'four')")).isEqualTo(tokens(4, 1));
    }

    /** Returns the parsed {@code value} of an input with labels. */
    private QueryInput tokens(String value) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(ALL + "&ranking=near&input.query(tokens)=" + value));
        return requireNonNull(server.asked().getFirst().query().ranking().inputs().get("tokens"));
    }

    private static QueryInput tokens(double first, double second) {
        return new QueryInput.TensorInput(
                MixedTensor.of(
                        MusicApplication.TOKENS,
                        Map.of(List.of("0"), new double[] {first, second})));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[255,-255.9]", "{{x:0}:255,{x:1}:257}", "{\"values\":[-1.9,513]}"})
    void keepsTheLowBitsOfInt8Cells(String bytes) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(ALL + "&ranking=near&input.query(bytes)=" + bytes));

        assertThat(server.asked().getFirst().query().ranking().inputs())
                .containsEntry(
                        "bytes",
                        new QueryInput.TensorInput(
                                DenseTensor.of(MusicApplication.BYTES, new double[] {-1, 1})));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    en          | en
                    'en         | en
                    '5          | 5
                    ''          | '
                    tensors     | tensors
                    über uns    | über uns
                    """)
    void readsTextsAsNumbersWithoutADeclaration(String given, String text) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(ALL + "&ranking=near&input.query(more)=" + given));

        assertThat(server.asked().getFirst().query().ranking().inputs())
                .containsEntry("more", new QueryInput.NumberInput(StringValue.of(text)));
    }

    @Test
    void readsAnotherEmbeddersNameAsTextIfThereIsOneEmbedder() throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(
                                ALL + "&ranking=near&input.query(q)=embed(e6, text)"));

        assertThat(server.embedder().texts).containsExactly("e6, text");
    }

    @Test
    void searchesEverythingInModeIndex() throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(
                                "yql=select * from films where title contains \"x\""));
        server.get(
                "/search/?"
                        + SearchServer.encoded(
                                "yql=select * from films where true&streaming.userid=5"));

        assertThat(server.asked())
                .extracting(request -> request.scope().documents())
                .containsExactly(new Scope.Everything(), new Scope.Numbered(5));
        assertThat(server.asked().getFirst().scope().partitions()).hasSize(16);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    true                  | Everything[]
                    TRUE                  | Everything[]
                    id.group=="a b"       | Group[name=a b]
                    id.group = 'a"b'      | Group[name=a"b]
                    id.user == 7          | Numbered[value=7]
                    music.year > 5        | Selected[within=Everything[], selection=music.year > 5, fromTimestamp=0, toTimestamp=9223372036854775807]
                    id.group=="a" and music.year>5 | Selected[within=Group[name=a], selection=id.group=="a" and music.year>5, fromTimestamp=0, toTimestamp=9223372036854775807]
                    not id.user=5         | Selected[within=Everything[], selection=not id.user=5, fromTimestamp=0, toTimestamp=9223372036854775807]
                    id.group=="a" and id.group=="b" | Selected[within=Several[parts=[]], selection=id.group=="a" and id.group=="b", fromTimestamp=0, toTimestamp=9223372036854775807]
                    """)
    void readsSimpleSelections(String selection, String scope) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(
                                "yql=select * from music where true&streaming.selection="
                                        + selection));

        assertThat(server.asked().getFirst().scope().documents()).hasToString(scope);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    streaming.groupname=g&streaming.fromtimestamp=5 | Selected[within=Group[name=g], selection=, fromTimestamp=5, toTimestamp=9223372036854775807]
                    streaming.selection=music.year>5&streaming.totimestamp=9&streaming.fromtimestamp=7 | Selected[within=Everything[], selection=music.year>5, fromTimestamp=7, toTimestamp=9]
                    streaming.groupname=g&streaming.maxbucketspervisitor=3&streaming.priority=LOW | Group[name=g]
                    """)
    void readsFromWhenDocumentsAre(String parameters, String scope) throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded("yql=select * from music where true&" + parameters));

        assertThat(server.asked().getFirst().scope().documents()).hasToString(scope);
    }

    @Test
    void blendsTypesByRelevanceAndCutsTheOffset() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(
                        3, hit("music", "a", 9, Map.of()), hit("music", "b", 5, Map.of())));
        server.answer(
                "films",
                SearchServer.reply(
                        4, hit("films", "c", 7, Map.of()), hit("films", "d", 5, Map.of())));

        String response =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        "yql=select * from sources * where true&hits=2&offset=1"
                                                + "&streaming.groupname=g"));

        assertThat(server.asked())
                .extracting(request -> request.hits().count())
                .containsExactly(3, 3);
        assertThat(response)
                .contains("\"totalCount\":7")
                .contains(
                        "\"documents\":20,\"full\":true,\"nodes\":1,\"results\":1,\"resultsFull\":1")
                .containsSubsequence("id:n:films:g=g:c", "id:n:films:g=g:d")
                .doesNotContain("id:n:music:g=g:a")
                .doesNotContain("id:n:music:g=g:b");
    }

    @Test
    void handsTheOrderOn() throws Exception {
        server.get(
                "/search/?"
                        + SearchServer.encoded(
                                ALL.replace("true", "true order by year desc, title")));
        server.get("/search/?" + SearchServer.encoded(ALL + "&sorting=-year +title [rank]"));

        List<SortKey> order =
                List.of(
                        new SortKey.FieldValueOf("year", false).with(new TextOrder.LowerCase()),
                        new SortKey.FieldValueOf("title", true).with(new TextOrder.LowerCase()));
        assertThat(server.asked().getFirst().hits().sorting()).isEqualTo(order);
        assertThat(server.asked().get(1).hits().sorting())
                .startsWith(order.toArray(SortKey[]::new))
                .endsWith(new SortKey.Relevance(false));
    }

    @Test
    void hitsHaveTheIdsOfDocumentsOnRequest() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(1, hit("music", "1", 1, Map.of("title", text("Blue")))));

        for (String query : List.of(ALL + "&summary=short", ALL.replace("*", "title"))) {
            assertThat(
                            server.get(
                                    "/search/?"
                                            + SearchServer.encoded(
                                                    query + "&presentation.documentIds=true")))
                    .contains("\"id\":\"id:", "\"title\":\"Blue\"")
                    .doesNotContain("\"id\":\"index:", "documentid");
        }
    }

    @Test
    void showsTheSummaryAskedFor() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(1, hit("music", "1", 1, Map.of("title", text("Blue")))));

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL + "&summary=short")))
                .contains("\"fields\":{\"sddocname\":\"music\",\"title\":\"Blue\"}")
                .containsPattern("\"id\":\"index:songs/0/[0-9a-f]{24}\"");
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL.replace("*", "title"))))
                .contains("\"fields\":{\"title\":\"Blue\"}");
        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                ALL.replace("*", "documentid, title"))))
                .contains("\"id\":\"id:n:music:g=g:1\"");
        assertThat(server.asked())
                .extracting(request -> request.hits().summary())
                .containsExactly(
                        new SummarySettings("short", List.of()),
                        new SummarySettings("default", List.of("title")),
                        new SummarySettings("default", List.of("documentid", "title")));
    }

    @Test
    void usesStatisticsOfTheProfileUnlessTheRequestHasSome() throws Exception {
        server.get("/search/?" + SearchServer.encoded(ALL + "&ranking=constant"));
        server.get(
                "/search/?"
                        + SearchServer.encoded(ALL + "&ranking=constant&ranking.statistics=group"));

        assertThat(server.asked())
                .extracting(request -> request.query().ranking().statistics())
                .containsExactly(RankSettings.Statistics.NONE, RankSettings.Statistics.GROUP);
    }

    @Test
    void keepsHitsBesideWarnings() throws Exception {
        server.answer(
                "music",
                new SearchReply.Found(
                        List.of(hit("music", "1", 1, Map.of())),
                        1,
                        List.of(),
                        new SearchReport(
                                new Coverage(10, 10, false),
                                QueryCost.NONE,
                                List.of("Field 'x' does not exist in 'music'."),
                                List.of())));

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"errors\":[{\"code\":8,\"summary\":\"Error in search"
                                + " reply.\",\"source\":\"songs\",\"message\":\"Field 'x' does not"
                                + " exist in 'music'.\"}]")
                .contains("\"children\":[");
    }

    /** Hits of films have all fields, which is reported, as the summary is one of music. */
    @Test
    void reportsSchemasWithoutTheSummaryAskedFor() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(1, hit("music", "1", 2, Map.of("title", text("Blue")))));
        server.answer(
                "films", SearchServer.reply(1, hit("films", "2", 1, Map.of("title", text("Red")))));
        String query = "yql=select * from sources * where true&streaming.groupname=g";

        assertThat(server.get("/search/?" + SearchServer.encoded(query + "&summary=music_titles")))
                .startsWith("HTTP/1.1 200")
                .contains("\"title\":\"Blue\"", "\"title\":\"Red\"")
                .contains(
                        "\"errors\":[{\"code\":8,\"summary\":\"Error in search reply.\",\"source\":\"songs\","
                                + "\"message\":\"Schema 'films' has no document summary 'music_titles': its hits"
                                + " have the fields of its default\"}]");
        assertThat(server.asked())
                .extracting(request -> request.hits().summary().documentSummary())
                .containsExactlyInAnyOrder("music_titles", "default");
        assertThat(server.get("/search/?" + SearchServer.encoded(query + "&summary=short")))
                .doesNotContain("\"errors\"");
    }

    /** A list may be meant for a feature of the same name, such as tensorFromLabels. */
    @Test
    void reportsARankPropertyThatIsAListAndNoValueOfTheInputOfItsName() throws Exception {
        server.answer("music", SearchServer.reply(0));
        String query = ALL + "&ranking=near&rankproperty.q=";

        assertThat(server.get("/search/?" + SearchServer.encoded(query + "[a b]")))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"source\":\"songs\",\"message\":\"rank property q does not set query(q), and only features that read"
                                + " a list use it. Could not set 'query(q)' of type tensor<float>(x[2]): ");
        assertThat(server.get("/search/?" + SearchServer.encoded(query + "[1,2]")))
                .doesNotContain("\"errors\"");
    }

    /** The schema of films shows bytes as texts, that of music in base64. */
    @Test
    void showsBytesAsTextsIfTheSchemaSaysSo() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(1, hit("music", "1", 2, Map.of("cover", text("aGVsbG8=")))));
        server.answer(
                "films",
                SearchServer.reply(1, hit("films", "2", 1, Map.of("poster", text("aGVsbG8=")))));

        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                "yql=select * from sources * where true&streaming.groupname=g")))
                .contains("\"cover\":\"aGVsbG8=\"", "\"poster\":\"hello\"");
    }

    @Test
    void showsWhatALimitOfMatchesLeftOut() throws Exception {
        server.answer(
                "music",
                new SearchReply.Found(
                        List.of(),
                        0,
                        List.of(),
                        new SearchReport(
                                new Coverage(250, 1000, false, true),
                                QueryCost.NONE,
                                List.of(),
                                List.of())));

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"coverage\":{\"coverage\":25,\"documents\":250,\"degraded\":{\"match-phase\":true,"
                                + "\"timeout\":false,\"adaptive-timeout\":false,\"anntimeout\":false,"
                                + "\"non-ideal-state\":false},\"full\":false,\"nodes\":1,\"results\":1,\"resultsFull\":0}");
    }

    @Test
    void showsWhatTimeLeftOut() throws Exception {
        server.answer(
                "music",
                new SearchReply.Found(
                        List.of(),
                        0,
                        List.of(),
                        new SearchReport(
                                new Coverage(999, 1000, true),
                                QueryCost.NONE,
                                List.of(),
                                List.of())));

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"coverage\":{\"coverage\":99,\"documents\":999,\"degraded\":{\"match-phase\":false,"
                                + "\"timeout\":true,\"adaptive-timeout\":false,\"anntimeout\":false,"
                                + "\"non-ideal-state\":false},\"full\":false,\"nodes\":1,\"results\":1,\"resultsFull\":0}");
        assertThat(server.registry().counter("degraded_queries").count()).isEqualTo(1);
    }

    /** Each type of a cluster is searched by a request of its own. */
    @Test
    void countsUnavailableNodesAsNotSearched() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(1, hit("music", "1", 2, Map.of("title", text("Blue")))));
        server.answer("films", new SearchReply.Unavailable("node 1 cannot be reached"));

        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                "yql=select * from sources * where true&streaming.groupname=g")))
                .startsWith("HTTP/1.1 200")
                .contains("\"title\":\"Blue\"", "node 1 cannot be reached")
                .contains("\"coverage\":50,", "\"non-ideal-state\":true", "\"full\":false")
                .contains("\"results\":1,\"resultsFull\":0");
    }

    @Test
    void mapsWhatNodesAnswerToErrors() throws Exception {
        server.answer("music", new SearchReply.TimedOut());
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 504")
                .contains("\"code\":12,");
        server.answer("music", new SearchReply.Rejected("no such thing"));
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":3,")
                .contains("no such thing");
        server.answer("music", new SearchReply.WrongOwner(7));
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 503")
                .contains("\"code\":10,");
        server.answer("music", new SearchReply.Failed("run 7 at 4096: bad crc"));
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 500")
                .contains("\"code\":8,")
                .contains("bad crc");
        server.answer("music", new SearchReply.Overloaded("overload: 9 searches wait already"));
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 429")
                .contains("Retry-After: 1\r\n")
                .contains("\"code\":429,")
                .contains("9 searches wait already");
        server.answer("music", new SearchReply.Unavailable("node 1 cannot be reached"));
        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 503")
                .contains("Retry-After: 1\r\n")
                .contains("\"code\":10,")
                .contains("node 1 cannot be reached");
        assertThat(server.registry().counter("failed_queries").count()).isEqualTo(6);
    }

    private static SearchHit hit(
            String type, String user, double relevance, Map<String, FieldValue> summary) {
        return new SearchHit(
                DocumentId.parse("id:n:" + type + ":g=g:" + user),
                relevance,
                List.<Optional<FieldValue>>of(),
                summary,
                Map.of());
    }

    private static FieldValue text(String value) {
        return new FieldValue.StringValue(value);
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
