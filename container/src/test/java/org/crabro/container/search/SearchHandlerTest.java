package org.crabro.container.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.render.JsonRenderer;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.Hit;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Talks HTTP to the handler in memory: no port is opened; content nodes are a double. */
class SearchHandlerTest {
    private static final String ALL = "yql=select * from music where true&streaming.groupname=g";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<SearchRequest> asked = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, SearchReply> replies = new HashMap<>();
    private final LengthEmbedder embedder = new LengthEmbedder(1);
    private Supplier<Principal> principals = () -> Principal.EVERYONE;

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        start(SearchSettings.DEFAULT);
    }

    private void start(SearchSettings settings) throws Exception {
        server.stop();
        var dispatch =
                new SearchDispatch(
                        request -> {
                            asked.add(request);
                            return replies.getOrDefault(request.documentType(), found(0));
                        },
                        () -> ClusterView.ONE_NODE);
        server.setHandler(
                new SearchHandler(
                        MusicApplication.model(Map.of("e5", embedder)),
                        settings,
                        dispatch,
                        new JsonRenderer(),
                        _ -> principals.get(),
                        () -> NOW,
                        registry));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void answersWithHits() throws Exception {
        replies.put("music", found(5, hit("music", "1", 0.5, Map.of("title", text("Blue")))));

        String response = get("/search/?" + encoded(ALL));

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
        assertThat(registry.counter("queries").count()).isEqualTo(1);
    }

    @Test
    void asksOneTypeOfOneGroupWithDefaults() throws Exception {
        get("/search?" + encoded(ALL));

        SearchRequest request = asked.getFirst();
        assertThat(request.documentType()).isEqualTo("music");
        assertThat(request.scope()).isEqualTo(new Scope.Group("g"));
        assertThat(request.partitions()).hasSize(1);
        assertThat(request.hits()).isEqualTo(10);
        assertThat(request.sorting()).isEmpty();
        assertThat(request.summary()).isEqualTo(SummarySettings.DEFAULT);
        assertThat(request.softTimeout()).isTrue();
        assertThat(request.traceLevel()).isZero();
        assertThat(request.ranking())
                .isEqualTo(
                        new RankSettings(
                                "default",
                                Map.of(),
                                RankSettings.Statistics.GROUP,
                                NOW.getEpochSecond()));
    }

    @Test
    void readsEveryParameterOfAPostedObject() throws Exception {
        String response =
                post(
                        "/search/?hits=3",
                        "application/json; charset=utf-8",
                        """
                        {"yql": "select title from sources * where {targetHits: 4}\
                        nearestNeighbor(vector, q) and userInput(@words) limit 9 offset 2",
                         'words': "blue 'n green", "hits": 7, "restrict": "music",
                         "streaming": {"groupname": "a,b"}, "input.query(q)": [1, 2],
                         "input": {"query(other)": {"values": [3, 4]}},
                         "ranking": {"profile": "near", "features": {"query(weight)": 2.5},
                                     "softtimeout": {"enable": false}, "freshness": "now-10"},
                         "timeout": "5 s", "trace": {"level": 1}, "unheard": null}
                        """);

        assertThat(response).startsWith("HTTP/1.1 200");
        SearchRequest request = asked.getFirst();
        assertThat(QueryText.of(request.tree()))
                .isEqualTo(
                        "(and (nearest vector q 4) (weakand default:blue default:n default:green))");
        assertThat(request.scope()).isEqualTo(new Scope.Group("a,b"));
        assertThat(request.hits()).isEqualTo(9);
        assertThat(request.summary().fields()).containsExactly("title");
        assertThat(request.softTimeout()).isFalse();
        assertThat(request.header().deadline().remaining()).isBetween(seconds(1), seconds(5));
        assertThat(request.ranking().profile()).isEqualTo("near");
        assertThat(request.ranking().nowSeconds()).isEqualTo(NOW.getEpochSecond() - 10);
        assertThat(request.ranking().inputs())
                .isEqualTo(
                        Map.of(
                                "q", new QueryInput.TensorInput(MusicApplication.tensor(1, 2)),
                                "other", new QueryInput.TensorInput(MusicApplication.tensor(3, 4)),
                                "weight", new QueryInput.NumberInput(2.5)));
        assertThat(response)
                .contains("{\"trace\":{\"children\":[{\"message\":\"Query: (and (nearest");
    }

    @Test
    void readsFormsAndLetsTheUrlWin() throws Exception {
        post(
                "/search/?hits=3&query=green+tea",
                "application/x-www-form-urlencoded",
                "hits=7&query=blue&restrict=music&streaming.userid=18446744073709551615&count=5");

        SearchRequest request = asked.getFirst();
        assertThat(QueryText.of(request.tree())).isEqualTo("(weakand default:green default:tea)");
        assertThat(request.hits()).isEqualTo(3);
        assertThat(request.scope()).isEqualTo(new Scope.Numbered(-1));
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
        get("/search/?" + encoded(ALL + "&ranking=near&" + input));

        assertThat(asked.getFirst().ranking().inputs())
                .containsEntry(
                        "q", new QueryInput.TensorInput(MusicApplication.tensor(first, second)))
                .containsEntry("other", new QueryInput.TensorInput(MusicApplication.tensor(7, 8)));
    }

    @Test
    void searchesEverythingInModeIndex() throws Exception {
        get("/search/?" + encoded("yql=select * from films where title contains \"x\""));
        get("/search/?" + encoded("yql=select * from films where true&streaming.userid=5"));

        assertThat(asked)
                .extracting(SearchRequest::scope)
                .containsExactly(new Scope.Everything(), new Scope.Numbered(5));
        assertThat(asked.getFirst().partitions()).hasSize(16);
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
                    """)
    void readsSimpleSelections(String selection, String scope) throws Exception {
        get(
                "/search/?"
                        + encoded(
                                "yql=select * from music where true&streaming.selection="
                                        + selection));

        assertThat(asked.getFirst().scope()).hasToString(scope);
    }

    @Test
    void blendsTypesByRelevanceAndCutsTheOffset() throws Exception {
        replies.put(
                "music", found(3, hit("music", "a", 9, Map.of()), hit("music", "b", 5, Map.of())));
        replies.put(
                "films", found(4, hit("films", "c", 7, Map.of()), hit("films", "d", 5, Map.of())));

        String response =
                get(
                        "/search/?"
                                + encoded(
                                        "yql=select * from sources * where true&hits=2&offset=1"
                                                + "&streaming.groupname=g"));

        assertThat(asked).extracting(SearchRequest::hits).containsExactly(3, 3);
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
        get("/search/?" + encoded(ALL + " order by year desc, title"));
        get("/search/?" + encoded(ALL + "&sorting=-year +title [rank]"));

        List<SortKey> order =
                List.of(
                        new SortKey.FieldValueOf("year", false),
                        new SortKey.FieldValueOf("title", true));
        assertThat(asked.get(1).sorting())
                .startsWith(order.toArray(SortKey[]::new))
                .endsWith(new SortKey.Relevance(false));
    }

    @Test
    void showsTheSummaryAskedFor() throws Exception {
        replies.put("music", found(1, hit("music", "1", 1, Map.of("title", text("Blue")))));

        assertThat(get("/search/?" + encoded(ALL + "&summary=short")))
                .contains("\"fields\":{\"sddocname\":\"music\",\"title\":\"Blue\"}")
                .containsPattern("\"id\":\"index:songs/0/[0-9a-f]{24}\"");
        assertThat(get("/search/?" + encoded(ALL.replace("*", "title"))))
                .contains("\"fields\":{\"title\":\"Blue\"}");
        assertThat(get("/search/?" + encoded(ALL.replace("*", "documentid, title"))))
                .contains("\"id\":\"id:n:music:g=g:1\"");
        assertThat(asked)
                .extracting(SearchRequest::summary)
                .containsExactly(
                        new SummarySettings("short", List.of()),
                        new SummarySettings("default", List.of("title")),
                        new SummarySettings("default", List.of("documentid", "title")));
    }

    @Test
    void takesStatisticsFromTheProfileUnlessTheRequestSaysOtherwise() throws Exception {
        get("/search/?" + encoded(ALL + "&ranking=constant"));
        get("/search/?" + encoded(ALL + "&ranking=constant&ranking.statistics=group"));

        assertThat(asked)
                .extracting(request -> request.ranking().statistics())
                .containsExactly(RankSettings.Statistics.NONE, RankSettings.Statistics.GROUP);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    hits=3 | 400 | 1 | expected a statement in 'yql' or words in 'query', but found neither
                    query=... | 400 | 1 | expected a statement in 'yql' or words in 'query', but found neither
                    $&hits=401 | 400 | 3 | requested hits: 401, max allowed: 400
                    $&hits=-1 | 400 | 3 | Could not set 'hits': expected a whole number from 0 on but found '-1'
                    $&offset=1001 | 400 | 3 | requested offset: 1001, max allowed: 1000
                    $ limit 401 | 400 | 4 | requested hits: 401, max allowed: 400
                    $ limit 2000 offset 1700 | 400 | 4 | requested offset: 1700, max allowed: 1000
                    $&timeout=soon | 400 | 3 | Could not set 'timeout': expected a time such as 500 ms or 0.5, up to 1e6 s but found 'soon'
                    $&timeout=0 | 504 | 12 | time ran out before anything was found in 'music'
                    $&ranking=nowhere | 400 | 4 | there is no rank profile 'nowhere' in [music]
                    $&summary=nowhere | 400 | 3 | there is no document summary 'nowhere' in [music]
                    $&format=xml | 400 | 3 | presentation.format: expected json but found 'xml'; cbor, page and xml are not built yet
                    $&format.tensors=wide | 400 | 3 | Could not set 'presentation.format.tensors': expected short, long, short-value, long-value, hex or hex-value but found 'wide'
                    $&maxHits=1000 | 400 | 3 | 'maxHits' cannot be set by a request
                    $&recall=+a | 400 | 4 | 'recall' is not built yet
                    $&rankproperty.x=1 | 400 | 4 | 'rankproperty.x' is not built yet
                    $&queryProfile=mine | 400 | 3 | query profiles are not built yet: there is only 'default'
                    $&searchChain=mine | 400 | 4 | there is no search chain 'mine'
                    $&ranking.freshness=later | 400 | 3 | Could not set 'ranking.freshness': expected seconds since the epoch, now or now-N but found 'later'
                    $&sorting=uca(title) | 400 | 3 | ranking.sorting: sorting by 'uca(title)' is not built yet
                    query=a&type=prog&restrict=music&streaming.groupname=g | 400 | 3 | No query type 'prog'
                    $$ | 400 | 3 | Streaming search requires either streaming.groupname or streaming.selection
                    yql=select * from sources * where true | 400 | 3 | Streaming search requires either streaming.groupname or streaming.selection
                    $&streaming.selection=true | 400 | 3 | expected one of streaming.groupname, streaming.userid and streaming.selection but found streaming.groupname and streaming.selection
                    $$&streaming.groupname= | 400 | 3 | streaming.groupname: the name of the group is empty
                    $$&streaming.userid=me | 400 | 3 | streaming.userid: 'me' is not a number from 0 to 2^64-1
                    $$&streaming.selection=music.year > 5 | 400 | 4 | streaming.selection: expected true, id.group == "name" or id.user == number; other selections are not built yet: 'music.year > 5'
                    $&streaming.groupnames=a,b | 400 | 4 | 'streaming.groupnames' is not built yet
                    yql=select * from nowhere where true | 400 | 4 | there is no source 'nowhere'; there are 'songs', 'music', 'films', 'cellar', 'old'
                    yql=select * from old where true | 400 | 4 | 'old' is stored only (mode="store-only" in services.xml) and cannot be searched
                    $&restrict=nowhere | 400 | 4 | there is no schema 'nowhere'; there are 'music', 'films', 'old'
                    $&restrict=films | 400 | 4 | none of the sources [music] has a schema of [films]
                    $ and nowhere contains "x" | 400 | 4 | Field 'nowhere' does not exist.
                    $ and vector contains "x" | 400 | 3 | field 'vector' is a tensor<float>(x[2]): words cannot be looked for in it, only nearestNeighbor()
                    $ and nearestNeighbor(vector, q) | 400 | 3 | Could not create query from YQL: query:L1:35 expected {targetHits: a number} before nearestNeighbor()
                    $ and {targetHits:1}nearestNeighbor(title, q)&ranking=near&input.query(q)=[1,2] | 400 | 3 | nearestNeighbor(title, q): expected a tensor field of one indexed dimension, but 'title' is string
                    $ and {targetHits:1}nearestNeighbor(vector, q) | 400 | 3 | nearestNeighbor(vector, q): rank profile 'default' of 'music' declares no input query(q)
                    $ and {targetHits:1}nearestNeighbor(vector, q)&ranking=near | 400 | 3 | nearestNeighbor(vector, q): the request gives no input.query(q)
                    $ and {targetHits:1}nearestNeighbor(vector, weight)&ranking=near&input.query(weight)=1 | 400 | 3 | nearestNeighbor(vector, weight): query(weight) is of type tensor(), but the field is of type tensor<float>(x[2])
                    $ and title contains phrase("a","a","a","a","a","a") | 400 | 3 | a phrase may have a word 5 times in a row and 10 times in all: 'a'
                    $&ranking=near&input.query(q)=[1,2,3] | 400 | 3 | Could not set 'query(q)' of type tensor<float>(x[2]): ...
                    $&ranking=near&input.query(weight)=many | 400 | 3 | Could not set 'query(weight)' of type tensor(): ...
                    $&ranking=near&input.query(q)=embed(@none) | 400 | 3 | Could not set 'query(q)' of type tensor<float>(x[2]): there is no request parameter 'none'
                    $&input.query(q)=[1,2] | 400 | 3 | Could not set 'query(q)': rank profile 'default' does not declare it, so it has to be a number
                    $&input.q=[1,2] | 400 | 3 | 'input.q': expected query(name) but found 'q'
                    yql=select * from films where true order by nowhere | 400 | 4 | cannot sort: Field 'nowhere' does not exist.
                    yql=select * from sources * where true order by year&streaming.groupname=g | 400 | 3 | cannot sort: field 'year' is of different types in the schemas searched: [int, long]
                    yql=select * from music where title ~ 1 | 400 | 4 | Could not create query from YQL: query:L1:32 unexpected character '~'
                    """)
    void refusesWhatCannotBeAnswered(String query, int status, int code, String message)
            throws Exception {
        String response = get("/search/?" + encoded(expanded(query)));

        assertThat(response)
                .startsWith("HTTP/1.1 " + status + " ")
                .contains(
                        "{\"root\":{\"id\":\"toplevel\",\"relevance\":1.0,\"fields\":{\"totalCount\":0}"
                                + ",\"errors\":[{\"code\":"
                                + code
                                + ",")
                .contains("\"message\":\"" + message.replace("\"", "\\\"").replace("...", ""))
                .doesNotContain("children");
        assertThat(asked).isEmpty();
    }

    /** A dollar stands for a whole query of a group, or for one that has no group yet. */
    private static String expanded(String query) {
        if (query.startsWith("$$")) {
            return "yql=select * from music where true" + query.substring(2);
        }
        if (query.startsWith("$")) {
            return "streaming.groupname=g&yql=select * from music where true" + query.substring(1);
        }
        return query;
    }

    @Test
    void refusesParametersThatAreNotEncoded() throws Exception {
        assertThat(get("/search/?yql=%ff%zz"))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":17,")
                .contains("the parameters are not encoded as URLs are: ");
    }

    @Test
    void takesAnUnknownEmbedderForTextWhereThereIsOneOnly() throws Exception {
        get("/search/?" + encoded(ALL + "&ranking=near&input.query(q)=embed(e6, text)"));

        assertThat(embedder.texts).containsExactly("e6, text");
    }

    @Test
    void keepsHitsBesideWarnings() throws Exception {
        replies.put(
                "music",
                new SearchReply.Found(
                        List.of(hit("music", "1", 1, Map.of())),
                        1,
                        new Coverage(10, 10, false),
                        QueryCost.NONE,
                        List.of("Field 'x' does not exist in 'music'."),
                        List.of()));

        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"errors\":[{\"code\":8,\"summary\":\"Error in search reply.\","
                                + "\"source\":\"songs\",\"message\":\"Field 'x' does not exist in 'music'.\"}]")
                .contains("\"children\":[");
    }

    @Test
    void showsWhatTimeLeftOut() throws Exception {
        replies.put(
                "music",
                new SearchReply.Found(
                        List.of(),
                        0,
                        new Coverage(999, 1000, true),
                        QueryCost.NONE,
                        List.of(),
                        List.of()));

        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "\"coverage\":{\"coverage\":99,\"documents\":999,\"degraded\":{\"match-phase\":false,"
                                + "\"timeout\":true,\"adaptive-timeout\":false,\"anntimeout\":false,"
                                + "\"non-ideal-state\":false},\"full\":false,\"nodes\":1,\"results\":1,\"resultsFull\":0}");
        assertThat(registry.counter("degraded_queries").count()).isEqualTo(1);
    }

    @Test
    void mapsWhatNodesAnswerToErrors() throws Exception {
        replies.put("music", new SearchReply.TimedOut());
        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 504")
                .contains("\"code\":12,");
        replies.put("music", new SearchReply.Rejected("no such thing"));
        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":3,")
                .contains("no such thing");
        replies.put("music", new SearchReply.WrongOwner(7));
        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 503")
                .contains("\"code\":10,");
        replies.put("music", new SearchReply.Failed("run 7 at 4096: bad crc"));
        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 500")
                .contains("\"code\":8,")
                .contains("bad crc");
        assertThat(registry.counter("failed_queries").count()).isEqualTo(4);
    }

    @Test
    void refusesGroupsThatThePrincipalMayNotTouch() throws Exception {
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
        principals = () -> anna;

        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 403")
                .contains(
                        "{\"code\":15,\"summary\":\"Forbidden.\",\"source\":\"songs\","
                                + "\"message\":\"'anna' may not touch group 'g'\"}");
        assertThat(asked).isEmpty();
    }

    @Test
    void refusesOtherMethodsAndLeavesOtherPaths() throws Exception {
        assertThat(connector.getResponse("PUT /search/ HTTP/1.0\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405")
                .contains("Allow: GET, POST");
        assertThat(get("/search/more?" + encoded(ALL))).startsWith("HTTP/1.1 404");
    }

    @Test
    void refusesBodiesThatAreTooLongOrNoJson() throws Exception {
        String json = "application/json";
        String tooLong = "{\"x\":\"" + "a".repeat(SearchSettings.DEFAULT.maxBodyBytes()) + "\"}";
        assertThat(post("/search/", json, tooLong))
                .startsWith("HTTP/1.1 413")
                .contains("the body of a search may have 4194304 bytes");
        assertThat(post("/search/", json, "{\"query\": \"\\ud800\"}"))
                .startsWith("HTTP/1.1 400")
                .contains("'query' holds half a surrogate pair");
        assertThat(post("/search/", json, "[1]"))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":3,")
                .contains("Expected start of object");
        assertThat(post("/search/", json, "{\"hits\": }"))
                .startsWith("HTTP/1.1 400")
                .contains("Json parse error: ")
                .contains("at line 1, column 10");
    }

    @Test
    void turnsAwayWhatIsTooMuchAtOnce() throws Exception {
        start(bounded(1, 0));
        assertThat(get("/search/?" + encoded(ALL))).startsWith("HTTP/1.1 200");
        assertThat(post("/search/", "application/json", "{}"))
                .startsWith("HTTP/1.1 429")
                .contains("\"code\":429,");

        start(bounded(0, 1 << 20));
        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 429")
                .contains("Retry-After: 1")
                .contains("0 queries are under way already");
    }

    @Test
    void stopsQueriesThatGrowTooLarge() throws Exception {
        String tooMany = "the query has more items than allowed: 10000";
        String words = "{\"query\": \"" + "a ".repeat(10_000) + "\"}";
        assertThat(post("/search/", "application/json", words)).contains(tooMany);

        String manyTimes =
                "{\"yql\": \"select * from music where "
                        + "{allowEmpty:true}userInput(@q) or ".repeat(200)
                        + "true\", \"q\": \""
                        + ". ".repeat(100_000)
                        + "\"}";
        assertThat(post("/search/", "application/json", manyTimes)).contains(tooMany);
    }

    @Test
    void boundsListsOfNames() throws Exception {
        assertThat(get("/search/?" + encoded(ALL + "&sorting=" + "a ".repeat(51))))
                .contains("found 51 keys to sort by, max allowed: 50");
        assertThat(get("/search/?" + encoded(ALL + "&summaryFields=" + "a,".repeat(1_001))))
                .contains("found 1001 fields to show, max allowed: 1000");
    }

    @Test
    void givesBackWhatABodyTook() throws Exception {
        start(bounded(1, 1 << 20));
        String body = "{\"query\": \"" + "x ".repeat(400_000) + "\"}";
        for (int i = 0; i < 4; i++) {
            assertThat(post("/search/", "application/json", body)).startsWith("HTTP/1.1 400");
        }
    }

    private static SearchSettings bounded(int inFlight, long bodies) {
        SearchSettings settings = SearchSettings.DEFAULT;
        return new SearchSettings(
                inFlight,
                settings.maxHits(),
                settings.maxOffset(),
                settings.maxQueryItems(),
                settings.maxBodyBytes(),
                bodies,
                settings.maxEmbeddedChars(),
                settings.defaultTimeout(),
                settings.maxTimeout(),
                settings.slow());
    }

    @Test
    void keepsTheInsideOfAFailureToItself() throws Exception {
        principals =
                () -> {
                    throw new IllegalStateException("a secret of the inside");
                };

        assertThat(get("/search/?" + encoded(ALL)))
                .startsWith("HTTP/1.1 500")
                .contains("\"code\":5,")
                .contains("Failed: the server's log says more")
                .doesNotContain("secret");
    }

    private static SearchReply found(long total, Hit... hits) {
        return new SearchReply.Found(
                List.of(hits),
                total,
                new Coverage(10, 10, false),
                QueryCost.NONE,
                List.of(),
                List.of());
    }

    private static Hit hit(
            String type, String user, double relevance, Map<String, FieldValue> summary) {
        return new Hit(
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

    private static String encoded(String query) {
        var encoded = new StringBuilder();
        for (String pair : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            encoded.append(encoded.isEmpty() ? "" : "&")
                    .append(URLEncoder.encode(parts[0], UTF_8))
                    .append('=')
                    .append(parts.length == 1 ? "" : URLEncoder.encode(parts[1], UTF_8));
        }
        return encoded.toString();
    }

    private String get(String path) throws Exception {
        return connector.getResponse("GET " + path + " HTTP/1.0\r\n\r\n");
    }

    private String post(String path, String type, String body) throws Exception {
        return connector.getResponse(
                "POST %s HTTP/1.0\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(path, type, body.getBytes(UTF_8).length, body));
    }
}
