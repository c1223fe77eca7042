package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.container.query.SearchSettings;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.LocalConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchRefusalsTest {
    private static final String IDLE_POST =
            String.join(
                    "\r\n",
                    "POST /search/ HTTP/1.1",
                    "Host: x",
                    "Content-Type: application/json",
                    "Content-Length: 100000",
                    "",
                    "{");

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
                    $&format=html | 400 | 3 | presentation.format: expected json, cbor, xml, page or sse but found 'html'
                    $&format.tensors=wide | 400 | 3 | Could not set 'presentation.format.tensors': expected short, long, short-value, long-value, hex, hex-value, string or string-long but found 'wide'
                    $&maxHits=1000 | 400 | 3 | 'maxHits' cannot be set by a request
                    $&recall=a | 400 | 4 | recall: expected + or - before each word but found a
                    $&select.where={} | 400 | 3 | 'yql' cannot be combined with 'select.where', 'select.grouping' and 'select.fields'
                    query=a&select.fields=[]&streaming.groupname=g | 400 | 3 | 'query' cannot be combined with 'select.where', 'select.grouping' and 'select.fields'
                    select.where={}&streaming.groupname=g&restrict=music | 400 | 3 | Could not create query from select.where: select:L1:0 expected an object with one operator, true or false
                    $&jsoncallback=a b | 400 | 3 | jsoncallback: expected the name of a function
                    $&jsoncallback=f&format=cbor | 400 | 17 | jsoncallback: CBOR cannot be handed to a function
                    $&jsoncallback=f&format=page | 400 | 17 | jsoncallback: XML cannot be handed to a function
                    $&gram.match=some | 400 | 3 | Could not set 'gram.match': expected all, any, phrase, weakAnd, near or onear but found 'some'
                    $&collapsefield=year&collapsesize=x | 400 | 3 | Could not set 'collapsesize': expected a whole number from 0 on but found 'x'
                    $&rules.rulebase=x | 400 | 4 | rules.rulebase: there is no rule base 'x'; there are []
                    $&Pos.ll=1;2 | 400 | 4 | pos.ll: no field of [music] holds positions
                    $&ranking.location=(2,1,1,1,0,1,0) | 400 | 4 | ranking.location: no field of [music] holds positions
                    $&relatedTo.id=id:n:music:g=g:1 | 400 | 3 | relatedTo.id needs relatedTo.embeddingField, the field that holds vectors
                    $&presentation.template=x | 400 | 4 | 'presentation.template' is not built yet
                    $&page.id=x | 400 | 4 | 'page.id' is not built yet
                    $ and title contains 'a'&ranking.significance.useModel=true | 400 | 3 | the application has no significance models: name one in services.xml, or set ranking.significance.useModel=false
                    $&wand.field=title&wand.tokens={a:1}&wand.type=best | 400 | 3 | Could not set 'wand.type': expected vespa, or, parallel or dotProduct but found 'best'
                    $&ranking.matchPhase.diversity.cutoff.strategy=hard | 400 | 3 | Could not set 'ranking.matchPhase.diversity.cutoff.strategy': expected loose or strict but found 'hard'
                    $&wand.field=a b&wand.tokens={a:1} | 400 | 3 | Could not set 'wand.field': expected the name of a field but found 'a b'
                    $&wand.field=titel&wand.tokens={a:1} | 400 | 4 | Field 'titel' does not exist.
                    $&wand.field=title&wand.tokens=a | 400 | 3 | Could not set 'wand.tokens':
                    $&wand.field=title&wand.tokens={a:1}) or (true | 400 | 3 | Could not set 'wand.tokens':
                    $&wand.field=title&wand.tokens={a:1}) limit 1 | 400 | 3 | Could not set 'wand.tokens':
                    $&wand.field=title&wand.tokens={a:1}) order by year | 400 | 3 | Could not set 'wand.tokens':
                    $&wand.field=title&wand.tokens={a:1}); | 400 | 3 | Could not set 'wand.tokens':
                    $&wand.field=title&wand.tokens={a:1}&wand.heapSize=many | 400 | 3 | Could not set 'wand.heapSize':
                    $&encoding=klingon | 400 | 3 | Could not set 'model.encoding': expected the IANA name of an encoding such as utf-8 but found 'klingon'
                    $&ranking.elementGap.tags=-1 | 400 | 3 | Could not set 'ranking.elementGap.tags': expected a whole number from 0 on or infinity but found '-1'
                    $&ranking.softtimeout.factor=2 | 400 | 3 | Could not set 'ranking.softtimeout.factor': expected a number above 0 and up to 1
                    $&presentation.bolding.tags=x | 400 | 3 | Could not set 'presentation.bolding.tags': expected the texts before and after a word, with a comma between, but found 'x'
                    $&collapsefield=year&collapse.summary=nowhere | 400 | 3 | collapse.summary: there is no document summary 'nowhere'
                    $&trace.profiling.matching.depth=x | 400 | 3 | Could not set 'trace.profiling.matching.depth': expected a whole number from 0 on but found 'x'
                    query=a&model.type.composite=x&restrict=music&streaming.groupname=g | 400 | 3 | expected one of weakAnd, and, or, phrase, near and oNear as model.type.composite, and one of simple, web and none as model.type.syntax
                    query=a&model.type.tokenization=x&restrict=music&streaming.groupname=g | 400 | 3 | expected internal or linguistics as model.type.tokenization
                    query=a&model.type.tokenization=linguistics&restrict=music&streaming.groupname=g | 400 | 3 | model.type.tokenization: linguistics needs the syntax none
                    $&queryProfile=mine | 400 | 3 | there is no query profile 'mine'
                    $&searchChain=mine | 400 | 4 | there is no search chain 'mine'
                    $&ranking=near&rankproperty.weight=many | 400 | 3 | Could not set 'query(weight)' of type tensor(): ...
                    $&rankproperty.vespa.now=later | 400 | 3 | rank property vespa.now is 'later' where seconds since the epoch are expected
                    $&ranking.freshness=later | 400 | 3 | Could not set 'ranking.freshness': expected seconds since the epoch, now or now-N but found 'later'
                    $&sorting=missing(title) | 400 | 3 | ranking.sorting: missing() expects first, last, or as and a value, but found ''
                    $&sorting=upper(title) | 400 | 3 | ranking.sorting: expected lowercase, raw, uca, missing, min, max or sum but found 'upper'
                    $&sorting=raw(title,x) | 400 | 3 | ranking.sorting: raw() expects 1 arguments but got 2
                    $&sorting=raw([rank]) | 400 | 3 | ranking.sorting: raw() is for fields
                    $&sorting=raw(title | 400 | 3 | ranking.sorting: expected ')' at the end of 'raw(title'
                    $&sorting=uca(title,x y z) | 400 | 3 | ranking.sorting: uca(): expected a language tag such as de or en-US, got 'x y z'
                    $&sorting=uca(title,de,strong) | 400 | 3 | ranking.sorting: uca(): expected a strength of primary, secondary, tertiary, quaternary, identical, got 'strong'
                    $&sorting=uca(title,de,primary,x) | 400 | 3 | ranking.sorting: uca() expects 1 to 3 arguments but got 4
                    $&sorting=title&locale=1 | 400 | 3 | Could not set 'model.locale': expected a language tag such as de or en-US but found '1'
                    query=a&type=prog&restrict=music&streaming.groupname=g | 400 | 3 | No query type 'prog'
                    $$ | 400 | 3 | Streaming search requires either streaming.groupname or streaming.selection
                    yql=select * from sources * where true | 400 | 3 | Streaming search requires either streaming.groupname or streaming.selection
                    $&streaming.selection=true | 400 | 3 | expected one of streaming.groupname, streaming.groupnames, streaming.userid and streaming.selection but found streaming.groupname and streaming.selection
                    $$&streaming.groupname= | 400 | 3 | streaming.groupname: the name of the group is empty
                    $$&streaming.userid=me | 400 | 3 | streaming.userid: 'me' is not a number from 0 to 2^64-1
                    $$&streaming.selection=music.year > | 400 | 4 | streaming.selection:
                    $$&streaming.selection=nowhere.year > 5 | 400 | 4 | streaming.selection:
                    $&streaming.fromtimestamp=yesterday | 400 | 3 | Could not set 'streaming.fromtimestamp': expected microseconds since the epoch but found 'yesterday'
                    $$&streaming.groupnames=a,,b | 400 | 3 | streaming.groupnames: the name of the group is empty
                    $$&streaming.groupnames=[1] | 400 | 3 | streaming.groupnames: expected names, but found [1]
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
                    $&ranking=near&input.query(q)={"type":"tensor(x[2])","values":[1,2]} | 400 | 3 | Could not set 'query(q)' of type tensor<float>(x[2]): expected type tensor<float>(x[2]) but found tensor(x[2])
                    $&ranking=near&input.query(wide)={"type":"tensor(k{})","cells":{"a":1}} | 400 | 3 | Could not set 'query(wide)' of type tensor<float>(k{},x[2000000]): expected type tensor<float>(k{},x[2000000]) but found tensor(k{})
                    $&ranking=near&input.query(wide)={a:[1],"b"} | 400 | 3 | Could not set 'query(wide)' of type tensor<float>(k{},x[2000000]): at character 4 of '{a:[1],"b"}': expected 2000000 values in dimension 'x', but got 1
                    $&ranking=near&input.query(weight)=many | 400 | 3 | Could not set 'query(weight)' of type tensor(): ...
                    $&ranking=near&input.query(q)=embed(@none) | 400 | 3 | Could not set 'query(q)' of type tensor<float>(x[2]): there is no request parameter 'none'
                    $&ranking=near&input.query(wide)={{k:a,x:0}:1,{k:b,x:0}:1,{k:c,x:0}:1} | 400 | 3 | Could not set 'query(wide)' of type tensor<float>(k{},x[2000000]): at character 1 of '{{k:a,x:0}:1,{k:b,x:0}:1,{k:c,x:0}:1}': a tensor would have 6000000 cells; ranking computes with at most 4194304
                    $&ranking=near&input.query(wide)={"cells":[{"address":{"k":"a","x":0},"value":1},{"address":{"k":"b","x":0},"value":1},{"address":{"k":"c","x":0},"value":1}]} | 400 | 3 | Could not set 'query(wide)' of type tensor<float>(k{},x[2000000]): the inputs of a query may leave out 4194304 cells
                    $&ranking=near&input.query(wide)=[{"address":{"k":"a","x":0},"value":1},{"address":{"k":"b","x":0},"value":1},{"address":{"k":"c","x":0},"value":1}] | 400 | 3 | Could not set 'query(wide)' of type tensor<float>(k{},x[2000000]): the inputs of a query may leave out 4194304 cells
                    $&input.query(q)=[1,2] | 400 | 3 | Could not set 'query(q)': rank profile 'default' does not declare it, so it has to be a number, or a text that begins with a letter or a quote
                    $&input.query(q)=embed(e5, x) | 400 | 3 | Could not set 'query(q)': rank profile 'default' does not declare it, so it has to be a number, or a text that begins with a letter or a quote
                    $&input.q=[1,2] | 400 | 3 | 'input.q': expected query(name), or a rank feature such as bm25(title), but found 'q'
                    $&ranking.features.bm25(title)=many | 400 | 3 | Could not set 'ranking.features.bm25(title)': expected a number but found 'many'
                    $&ranking.features.attribute(vector)=55 | 400 | 3 | Could not set 'ranking.features.attribute(vector)': numbers can be given alone, and in 'music' the feature is of type tensor<float>(x[2])
                    $&rankfeature.tensorFromLabels(attribute(tags),t)=5 | 400 | 3 | Could not set 'rankfeature.tensorFromLabels(attribute(tags),t)': numbers can be given alone, and in 'music' the feature is of type tensor(t{})
                    yql=select * from films where true order by maker.born | 400 | 4 | cannot sort: Field 'maker.born' does not exist.
                    yql=select * from films where true order by nowhere | 400 | 4 | cannot sort: Field 'nowhere' does not exist.
                    yql=select * from sources * where true order by year&streaming.groupname=g | 400 | 3 | cannot sort: field 'year' is of different types in the schemas searched: [int, long]
                    $&strict=true&hist=3 | 400 | 4 | there is no parameter 'hist'; did you mean 'hits'?
                    $&strict=true&something.else=3 | 400 | 4 | there is no parameter 'something.else'
                    $ order by yaer&strict=true | 400 | 4 | there is no field to sort by 'yaer'; did you mean 'year'?
                    $&sorting=-yaer&strict=true | 400 | 4 | there is no field to sort by 'yaer'; did you mean 'year'?
                    $&summaryFields=title,titel&strict=true | 400 | 4 | there is no field 'titel'; did you mean 'title'?
                    yql=select titel from music where true&streaming.groupname=g&strict=true | 400 | 4 | there is no field 'titel'; did you mean 'title'?
                    yql=select * from music, musik where true&streaming.groupname=g&strict=true | 400 | 4 | there is no source 'musik'; there are
                    yql=select * from music where title contains ({prefx: true}"a")&streaming.groupname=g&strict=true | 400 | 4 | Could not create query from YQL: query:L1:43 there is no annotation 'prefx'; did you mean 'prefix'?
                    $ and titel contains "x" | 400 | 4 | Field 'titel' does not exist. Did you mean 'title'?
                    $&ranking=naer | 400 | 4 | there is no rank profile 'naer' in [music]; did you mean 'near'?
                    yql=select * from music where title ~ 1 | 400 | 4 | Could not create query from YQL: query:L1:32 token recognition problem at '~'
                    """)
    void refusesWhatCannotBeAnswered(String query, int status, int code, String message)
            throws Exception {
        String response = server.get("/search/?" + SearchServer.encoded(expanded(query)));

        assertThat(response)
                .startsWith("HTTP/1.1 " + status + " ")
                .contains(
                        "{\"root\":{\"id\":\"toplevel\",\"relevance\":1.0,\"fields\":{\"totalCount\":0}"
                                + ",\"errors\":[{\"code\":"
                                + code
                                + ",")
                .contains("\"message\":\"" + message.replace("\"", "\\\"").replace("...", ""))
                .doesNotContain("children");
        assertThat(server.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$&strict=true&ranking.properties.x=1&input.query(weight)=2&ranking=near&"
                        + "input.query(q)=[1,2]",
                "yql=select title from music where title contains @w order by year&w=a&"
                        + "streaming.groupname=g&strict=true",
                "$ and title contains ({prefix: true}'a')&strict=TRUE",
                "$ and title contains ({prefx: true}'a')&hist=3&summaryFields=titel",
                "$ and title contains ({prefx: true}'a')&hist=3&strict=false"
            })
    void acceptsWhatMeansSomethingAndEverythingWithoutStrict(String query) throws Exception {
        server.get("/search/?" + SearchServer.encoded(expanded(query)));

        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void tracesWhatHasNoEffect() throws Exception {
        String response =
                server.get(
                        "/search/?"
                                + SearchServer.encoded(
                                        ALL.replace("true", "title contains ({prefx:true}@w)")
                                                + "&w=a&hist=3&trace.level=1"));

        assertThat(response)
                .contains("Parameter 'hist' is unknown and has no effect")
                .contains("Annotation 'prefx' is unknown and has no effect")
                .doesNotContain("Parameter 'w'");
    }

    @Test
    void readsManyStrictParametersOnce() throws Exception {
        var query = new StringBuilder(ALL + "&strict=true&w=");
        for (int i = 0; i < 2_000; i++) {
            query.append("@n").append(i).append(' ');
        }
        for (int i = 0; i < 2_000; i++) {
            query.append("&n").append(i).append("=x");
        }
        String body = SearchServer.encoded(query.toString());

        assertThat(
                        server.send(
                                "POST /search/ HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                                        + "Content-Length: %d\r\n\r\n%s"
                                                .formatted(body.length(), body)))
                .contains("there is no parameter 'w'");
    }

    /** Expands a dollar sign to a whole query of a group, and two to one without a group. */
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
        assertThat(server.get("/search/?yql=%ff%zz"))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":17,")
                .contains("the parameters are not encoded as URLs are: ");
    }

    @Test
    void refusesGroupsThatThePrincipalMayNotTouch() throws Exception {
        var anna = new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
        server.sender(() -> anna);

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 403")
                .contains(
                        "{\"code\":15,\"summary\":\"Forbidden.\",\"source\":\"songs\","
                                + "\"message\":\"'anna' may not touch group 'g'\"}");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void refusesOtherMethodsAndLeavesOtherPaths() throws Exception {
        assertThat(server.send("PUT /search/ HTTP/1.0\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405")
                .contains("Allow: GET, POST");
        assertThat(server.get("/search/more?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 404");
    }

    @Test
    void refusesBodiesThatAreTooLongOrNoJson() throws Exception {
        String json = "application/json";
        String tooLong =
                "{\"x\":\"" + "a".repeat(SearchSettings.DEFAULT.bodies().maxBodyBytes()) + "\"}";
        assertThat(server.post("/search/", json, tooLong))
                .startsWith("HTTP/1.1 413")
                .contains("the body of a search may have 4194304 bytes");
        assertThat(server.post("/search/", json, "{\"query\": \"\\ud800\"}"))
                .startsWith("HTTP/1.1 400")
                .contains("'query' contains half of a surrogate pair");
        assertThat(server.post("/search/", json, "[1]"))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":3,")
                .contains("Expected start of object");
        assertThat(server.post("/search/", json, "{\"hits\": }"))
                .startsWith("HTTP/1.1 400")
                .contains("Json parse error: ")
                .contains("at line 1, column 10");
    }

    @Test
    void turnsAwayWhatIsTooMuchAtOnce() throws Exception {
        server.start(bounded(1, 4 << 20));
        var isUnderWay = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        server.sender(() -> {
            isUnderWay.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Principal.EVERYONE;
        });
        String query = "/search/?" + SearchServer.encoded(ALL);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> server.get(query));
            isUnderWay.await();

            assertThat(server.get(query))
                    .startsWith("HTTP/1.1 429")
                    .contains("Retry-After: 1")
                    .contains("1 queries are running already");

            mayEnd.countDown();
            assertThat(first.get()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    @Timeout(60)
    void aBodyThatIsStillReceivedTakesNoPlace() throws Exception {
        server.start(bounded(1, 4 << 20));
        LocalConnector.LocalEndPoint idle = server.connect();
        Thread sender = Thread.ofVirtual().start(() -> idle.addInput(IDLE_POST));
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> assertThat(server.bodyCount()).isPositive());

        String answer = server.get("/search/?" + SearchServer.encoded(ALL));

        assertThat(answer).startsWith("HTTP/1.1 200");
        idle.addInputEOF();
        sender.join();
    }

    @Test
    void stopsQueriesThatGrowTooLarge() throws Exception {
        String tooMany = "the query has more items than allowed: 10000";
        String words = "{\"query\": \"" + "a ".repeat(10_000) + "\"}";
        assertThat(server.post("/search/", "application/json", words)).contains(tooMany);

        String manyTimes =
                "{\"yql\": \"select * from music where "
                        + "{allowEmpty:true}userInput(@q) or ".repeat(200)
                        + "true\", \"q\": \""
                        + ". ".repeat(100_000)
                        + "\"}";
        assertThat(server.post("/search/", "application/json", manyTimes)).contains(tooMany);
    }

    @Test
    void boundsListsOfNames() throws Exception {
        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                ALL + "&sorting=" + "a ".repeat(51))))
                .contains("found 51 keys to sort by, max allowed: 50");
        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                ALL + "&summaryFields=" + "a,".repeat(1_001))))
                .contains("found 1001 fields to show, max allowed: 1000");
    }

    @Test
    void givesBackWhatABodyTook() throws Exception {
        server.start(bounded(1, 4 << 20));
        String body = "{\"query\": \"" + "x ".repeat(400_000) + "\"}";
        for (int i = 0; i < 4; i++) {
            assertThat(server.post("/search/", "application/json", body))
                    .startsWith("HTTP/1.1 400");
        }
    }

    private static SearchSettings bounded(int inFlight, long bodies) {
        SearchSettings settings = SearchSettings.DEFAULT;
        return new SearchSettings(
                inFlight,
                settings.query(),
                new SearchSettings.Bodies(settings.bodies().maxBodyBytes(), bodies),
                settings.times(),
                settings.embeddingBytes(),
                settings.models());
    }

    @Test
    void keepsTheInsideOfAFailureToItself() throws Exception {
        server.sender(() -> {
            throw new IllegalStateException("a secret of the inside");
        });

        assertThat(server.get("/search/?" + SearchServer.encoded(ALL)))
                .startsWith("HTTP/1.1 500")
                .contains("\"code\":5,")
                .contains("Failed: see the server's log")
                .doesNotContain("secret");
    }
}
