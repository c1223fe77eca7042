package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every parameter of a search, with its effect: on the requests to content nodes, or on the answer.
 */
class ParametersTableTest {
    private static final String YQL =
            "yql=select * from music where title contains 'a'&streaming.groupname=g";
    private static final String WORDS = "restrict=music&streaming.groupname=g&query=a b";

    private final SearchServer server = new SearchServer();

    @BeforeEach
    void start() throws Exception {
        server.start(SearchSettings.DEFAULT);
        var fields = new LinkedHashMap<String, FieldValue>();
        fields.put("title", new FieldValue.StringValue(""));
        fields.put(
                "links",
                new FieldValue.ArrayValue(
                        List.of(
                                new FieldValue.MapValue(
                                        Map.of(
                                                new FieldValue.StringValue("home"),
                                                new FieldValue.LongValue(7))))));
        fields.put(
                "tags",
                new FieldValue.WeightedSetValue(Map.of(new FieldValue.StringValue("x"), 3)));
        fields.put("cover", new FieldValue.StringValue("aGVsbG8="));
        fields.put("vector", new FieldValue.TensorValue(MusicApplication.tensor(1, 2)));
        server.answer(
                "music",
                new SearchReply.Found(
                        List.of(
                                new SearchHit(
                                        DocumentId.parse("id:n:music:g=g:1"),
                                        0.5,
                                        List.of(),
                                        fields,
                                        Map.of())),
                        1,
                        List.of(),
                        new SearchReport(
                                new Coverage(10, 10, false),
                                QueryCost.NONE,
                                List.of(),
                                List.of())));
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
                    hits=3                            | hits.count: 3
                    COUNT=3                           | hits.count: 3
                    offset=4                          | hits.count: 14
                    start=4                           | hits.count: 14
                    hitcountestimate=true             | hits.count: 0
                    hits=1&after=                     | hits.count: 1
                    model.restrict=music              |
                    model.sources=songs               |
                    search=songs                      |
                    ranking.profile=unranked          | query.ranking.profile: unranked
                    ranking=unranked                  | query.ranking.profile: unranked
                    ranking.features.query(x)=2       | query.ranking.inputs: {x=NumberInput[value=2.0]}
                    input.query(x)=2                  | query.ranking.inputs: {x=NumberInput[value=2.0]}
                    input.query(x)={}                 | query.ranking.inputs: {x=NumberInput[value=0.0]}
                    rankfeature.query(x)=2            | query.ranking.inputs: {x=NumberInput[value=2.0]}
                    ranking.properties.bm25(title).k1=2 | query.ranking.overrides.properties: {bm25(title).k1=2}
                    rankproperty.bm25(title).k1=2     | query.ranking.overrides.properties: {bm25(title).k1=2}
                    ranking.matchPhase.attribute=year | query.ranking.overrides.properties: {crabro.matchPhase.attribute=year}
                    Ranking.MatchPhase.MaxHits=5      | query.ranking.overrides.properties: {crabro.matchPhase.maxHits=5.0}
                    ranking.matchPhase.totalMaxHits=5 | query.ranking.overrides.properties: {crabro.matchPhase.maxHits=5.0}
                    ranking.matchPhase.ascending=TRUE | query.ranking.overrides.properties: {crabro.matchPhase.ascending=true}
                    ranking.matchPhase.maxFilterCoverage=0.5 | query.ranking.overrides.properties: {crabro.matchPhase.maxFilterCoverage=0.5}
                    ranking.matchPhase.diversity.attribute=year | query.ranking.overrides.properties: {crabro.matchPhase.diversity.attribute=year}
                    ranking.matchPhase.diversity.minGroups=5 | query.ranking.overrides.properties: {crabro.matchPhase.diversity.minGroups=5.0}
                    ranking.matchPhase.diversity.cutoff.factor=2 | query.ranking.overrides.properties: {crabro.matchPhase.diversity.cutoff.factor=2.0}
                    ranking.matchphase.diversity.cutoff.strategy=strict | query.ranking.overrides.properties: {crabro.matchPhase.diversity.cutoff.strategy=strict}
                    ranking.matching.explorationSlack=0.1 | query.ranking.overrides.properties: {crabro.matching.explorationSlack=0.1}
                    input.$x=2                        | query.ranking.inputs: {x=NumberInput[value=2.0]}
                    ranking.properties.vespa.now=7&ranking.freshness=9 | query.ranking.nowSeconds: 7 query.ranking.overrides.properties: {vespa.now=7}
                    ranking.elementGap.tags=3         | query.ranking.overrides.elementGaps: {tags=3}
                    Ranking.ElementGap.tags=Infinity  | query.ranking.overrides.elementGaps: {tags=2147483647}
                    ranking.listFeatures=true         | query.ranking.overrides.listsFeatures: true
                    rankfeatures=true                 | query.ranking.overrides.listsFeatures: true
                    ranking.sorting=-year             | hits.sorting: [FieldValueOf[field=year, ascending=false, texts=LowerCase[], missing=Smallest[], several=FIRST]]
                    sorting=+maker.name&model.restrict=films&yql=select * from films where title contains 'a' | scope.documentType: films hits.sorting: [FieldValueOf[field=maker.name, ascending=true, texts=LowerCase[], missing=Smallest[], several=FIRST]]
                    sortspec=[docid]                  | hits.sorting: [DocumentIds[ascending=true]]
                    ranking.freshness=now-10          | query.ranking.nowSeconds: 1699999990
                    datetime=7                        | query.ranking.nowSeconds: 7
                    ranking.rankScoreDropLimit=0.5    | query.ranking.limits.dropLimit: OptionalDouble[0.5]
                    ranking.statistics=none           | query.ranking.statistics: NONE
                    ranking.softtimeout.enable=false  | reply.softTimeout: false
                    summary=short                     | hits.summary.documentSummary: short
                    presentation.summary=short        | hits.summary.documentSummary: short
                    summaryFields=title, year         | hits.summary.fields: [title, year]
                    bolding=false                     | hits.summary.marking.isOn: false
                    presentation.bolding.tags=<b>,</b> | hits.summary.marking.open: <b> hits.summary.marking.close: </b>
                    presentation.bolding.separator=…  | hits.summary.marking.separator: …
                    collapsefield=year                | hits.count: 22 hits.summary.besides: [year]
                    collapsefield=title&collapse.summary=short | hits.count: 22 hits.summary.besides: [title]
                    streaming.fromtimestamp=5         | scope.documents: Selected[within=Group[name=g], selection=, fromTimestamp=5, toTimestamp=9223372036854775807]
                    streaming.totimestamp=5           | scope.documents: Selected[within=Group[name=g], selection=, fromTimestamp=0, toTimestamp=5]
                    trace.level=2                     | reply.traceLevel: 2
                    tracelevel=2                      | reply.traceLevel: 2
                    tracelevel.rules=2                | reply.traceLevel: 1
                    trace.explain=true                | reply.explains: true
                    trace.explainLevel=1              | reply.traceLevel: 2
                    trace.profile=true                | reply.traceLevel: 4
                    trace.profiling.matching.depth=1  | reply.traceLevel: 2
                    trace.profiling.firstPhaseRanking.depth=1 | reply.traceLevel: 4
                    trace.profiling.secondPhaseRanking.depth=1 | reply.traceLevel: 4
                    select=all(group(year) each(output(count()))) | grouping.requests: 1 grouping.maxBytes: 134217728
                    timezone=Asia/Tokyo&select=all(group(year) output(count())) | grouping.requests: 1 grouping.timeZone: Asia/Tokyo grouping.maxBytes: 134217728
                    recall=+b                         | query.tree: (and title:a {filter}default:b)
                    nostemming=true                   | query.tree: {no stem}title:a
                    gram.match=all                    |
                    gram.match=                       |
                    gram.match=any                    | query.tree: {any gram}title:a
                    gram.match=weakAnd                | query.tree: {grams by weakAnd}title:a
                    gram.match=phrase                 | query.tree: {grams in a phrase}title:a
                    gram.match=near                   | query.tree: {near grams}title:a
                    gram.match=onear                  | query.tree: {near grams in order}title:a
                    GRAM.MATCH=WEAKAND                | query.tree: {grams by weakAnd}title:a
                    lang=de                           | query.tree: {language de}title:a
                    locale=de_DE                      | query.tree: {language de_DE}title:a
                    """)
    void asksContentOtherwise(String parameters, String expected) throws Exception {
        SearchRequest plain = asked(YQL);

        SearchRequest changed = asked(YQL + "&" + parameters);

        assertThat(String.join(" ", differences("", plain, changed)))
                .isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    x | ranking.properties.query(x)=1&rankproperty.x=2&input.query(x)=3&rankproperty.$x=4 | NumberInput[value=1.0]
                    x | rankproperty.x=2&input.query(x)=3&rankproperty.$x=4          | NumberInput[value=2.0]
                    x | input.query(x)=3&ranking.features.$x=5&rankproperty.$x=4     | NumberInput[value=3.0]
                    x | input.$x=5&rankproperty.$x=4                                 | NumberInput[value=5.0]
                    x | rankproperty.$x=4                                            | NumberInput[value=4.0]
                    x | rankproperty.X=2                                             | null
                    a | ranking=preset                                               | NumberInput[value=1.0]
                    a | ranking=preset&rankproperty.$a=7                             | NumberInput[value=7.0]
                    b | ranking=preset                                               | NumberInput[value=2.0]
                    c | ranking=preset                                               | NumberInput[value=3.0]
                    d | ranking=preset                                               | NumberInput[value=6.0]
                    v | ranking=preset                                               | TensorInput[value=tensor<float>(x[2]):[1.0, 2.0]]
                    v | ranking=preset&rankproperty.v=[3,4]                          | TensorInput[value=tensor<float>(x[2]):[3.0, 4.0]]
                    v | ranking=preset&rankproperty.v=[a b]                          | TensorInput[value=tensor<float>(x[2]):[1.0, 2.0]]
                    q | ranking=near&input.query(q)=[1,2]&rankproperty.query(q)=[5,6] | TensorInput[value=tensor<float>(x[2]):[5.0, 6.0]]
                    """)
    void anInputHasTheValueOfItsFirstSource(String input, String parameters, String value)
            throws Exception {
        var inputs = asked(YQL + "&" + parameters).query().ranking().inputs();

        assertThat(String.valueOf(inputs.get(input))).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    rankproperty.vespa.now=7&ranking.freshness=9 | 7
                    ranking.properties.vespa.now=7.9             | 7
                    ranking=preset                               | 5
                    ranking=preset&ranking.freshness=9           | 9
                    ranking=preset&rankproperty.vespa.now=7      | 7
                    ranking.freshness=9                          | 9
                    """)
    void theRankPropertyOfTheTimeWins(String parameters, long now) throws Exception {
        assertThat(asked(YQL + "&" + parameters).query().ranking().nowSeconds()).isEqualTo(now);
    }

    @Test
    void aFilterOfAStatementHasNoEffect() throws Exception {
        assertThat(QueryText.of(asked(YQL + "&filter=+b").query().tree())).isEqualTo("title:a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    type=weakAnd           | (weakand default:a default:b)
                    model.type=all         | (and default:a default:b)
                    type=any               | (or default:a default:b)
                    type=web               | (and default:a default:b)
                    type=phrase            | (phrase default a b)
                    type=near              | (near default 2 default:a default:b)
                    type=oNear             | (onear default 2 default:a default:b)
                    type=tokenize          | (weakand default:a default:b)
                    type=linguistics       | (weakand default:a default:b)
                    model.type.composite=or | (or default:a default:b)
                    model.type.syntax=none&model.type.tokenization=linguistics | (weakand default:a default:b)
                    model.defaultIndex=title | (weakand title:a title:b)
                    default-index=title    | (weakand title:a title:b)
                    gram.match=any         | (weakand {any gram}default:a {any gram}default:b)
                    type=phrase&gram.match=any | (phrase default a b)
                    type=near&gram.match=any | (near default 2 default:a default:b)
                    filter=-c&gram.match=any | (without (weakand {any gram}default:a {any gram}default:b) {filter, any gram}default:c)
                    gram.match=onear&type=yql&query=select * from music where rank(title contains equiv('b', 'c'), title contains 'd') | (rank (equiv {near grams in order}title:b {near grams in order}title:c) {near grams in order}title:d)
                    filter=-c              | (without (weakand default:a default:b) {filter}default:c)
                    model.filter=c         | (rank (weakand default:a default:b) default:c)
                    model.queryString=c    | default:c
                    type=yql&query=select * from music where year = 1 | (range year [1;1])
                    model.type.syntax=yql&query=select * from music where year = 1 | (range year [1;1])
                    """)
    void readsWordsOtherwise(String parameters, String tree) throws Exception {
        assertThat(QueryText.of(asked(WORDS + "&" + parameters).query().tree())).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    query=a                        |                     | (and default:a (weakand {weight 1}title:x {weight 20}title:y))
                    query=a                        | wand.type=vespa     | (and default:a (weakand {weight 1}title:x {weight 20}title:y))
                    query=a                        | wand.type=or        | (and default:a (or {weight 1}title:x {weight 20}title:y))
                    query=a                        | WAND.TYPE=DotProduct | (and default:a (dot title x:1 y:20))
                    query=a                        | wand.type=parallel&wand.scoreThreshold=5.5&wand.heapSize=7&wand.thresholdBoostFactor=1.2 | (and default:a (dot title above 5.5 x:1 y:20))
                                                   |                     | (weakand {weight 1}title:x {weight 20}title:y)
                    recall=+b                      | wand.type=or        | (and (and true {filter}default:b) (or {weight 1}title:x {weight 20}title:y))
                    yql=select * from music where true | wand.type=or    | (or {weight 1}title:x {weight 20}title:y)
                    query=a                        | wand.field=         | default:a
                    query=a                        | wand.tokens=        | default:a
                    query=a                        | wand.tokens={}      | default:a
                    """)
    void addsOneOperatorOverWeightedTokens(String query, String parameters, String tree)
            throws Exception {
        String request =
                "restrict=music&streaming.groupname=g&wand.field=title&wand.tokens={x:1,'y':20}"
                        + (query == null ? "" : "&" + query)
                        + (parameters == null ? "" : "&" + parameters);

        assertThat(QueryText.of(asked(request).query().tree())).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    userInput('a b')           | type=all&model.type.isYqlDefault=true | (and default:a default:b)
                    userInput('a b')           | type=all | (weakand default:a default:b)
                    ({distance:5}userInput('a b')) | type=near&model.type.isYqlDefault=true | (near default 5 default:a default:b)
                    userInput(@words)          | words=c | default:c
                    userInput(@words)          | words=c&gram.match=phrase | {grams in a phrase}default:c
                    """)
    void readsInputOfUsersOtherwise(String where, String parameters, String tree) throws Exception {
        SearchRequest request =
                asked(
                        "streaming.groupname=g&yql=select * from music where "
                                + where
                                + "&"
                                + parameters);

        assertThat(QueryText.of(request.query().tree())).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    format=cbor                       | application/cbor
                    presentation.format=cbor          | application/cbor
                    jsoncallback=f                    | f({"root"
                    presentation.timing=true          | "timing":{"querytime":
                    timing                            | "timing":{"querytime":
                    trace.profile=true                | "timing":{"querytime":
                    presentation.format.tensors=short-value | "vector":[1.0,2.0]
                    presentation.format=xml           | Content-Type: text/xml;charset=utf-8
                    format=xml                        | <result total-hit-count="
                    format=xml&timing=true            | " querytime="
                    format=xml&encoding=ISO-8859-1    | Content-Type: text/xml;charset=iso-8859-1
                    format=xml&encoding=latin1        | <?xml version="1.0" encoding="iso-8859-1"?>
                    template=page                     | <page version="1.0">
                    format.tensors=string             | "vector":"tensor<float>(x[2]):[1.0, 2.0]"
                    format.tensors=string-long        | "vector":"tensor<float>(x[2]):{{x:0}:1.0, {x:1}:2.0}"
                    format.tensors=hex                | "vector":{"type":"tensor<float>(x[2])","values":"3F80000040000000"}
                    renderer.json.jsonMaps=false      | "links":[[{"key":"home","value":7}]]
                    renderer.json.jsonWsets=false     | "tags":[{"item":"x","weight":3}]
                    renderer.json.longsAsStrings=true | "links":[{"home":"7"}]
                    renderer.json.debug=true          | "title":""
                    renderer.json.rawAsBase64=false   | "cover":"hello"
                    rawAsBase64=false                 | "cover":"hello"
                    tracelevel=1                      | {"message":"Query as searched: title:a"}
                    tracelevel=1&trace.timestamps=true | {"trace":{"children":[{"timestamp":
                    """)
    void showsTheAnswerOtherwise(String parameters, String shown) throws Exception {
        assertThat(server.get("/search/?" + SearchServer.encoded(YQL))).doesNotContain(shown);

        assertThat(server.get("/search/?" + SearchServer.encoded(YQL + "&" + parameters)))
                .startsWith("HTTP/1.1 200")
                .contains(shown);
    }

    @Test
    void leavesTheQueryOutOfATrace() throws Exception {
        assertThat(
                        server.get(
                                "/search/?"
                                        + SearchServer.encoded(
                                                YQL + "&tracelevel=1&trace.query=false")))
                .contains("No query profile is used")
                .doesNotContain("Query as written");
    }

    @Test
    void givesContentAPartOfTheTime() throws Exception {
        Duration whole = left(asked(YQL + "&timeout=500"));
        Duration half = left(asked(YQL + "&timeout=500&ranking.softtimeout.factor=0.5"));
        Duration listing = left(asked(YQL + "&ranking.listFeatures=true"));

        assertThat(whole).isBetween(Duration.ofSeconds(300), Duration.ofSeconds(500));
        assertThat(half).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(250));
        assertThat(listing).isBetween(Duration.ofSeconds(160), Duration.ofSeconds(360));
    }

    @Test
    void countsNoQueryThatMetricsIgnore() throws Exception {
        asked(YQL + "&metrics.ignore=true");
        assertThat(server.registry().counter("queries").count()).isZero();

        asked(YQL);
        assertThat(server.registry().counter("queries").count()).isEqualTo(1);
    }

    /** Parameters without effect in Vespa's streaming mode, and those for caches and tuning. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "noCache=true",
                "nocache=true",
                "groupingSessionCache=false",
                "user=someone",
                "model.encoding=UTF-8",
                "encoding=utf-8",
                "encoding=big5",
                "model.searchPath=0/1",
                "searchpath=0/1",
                "path=0/1",
                "model.searchGroup=0",
                "ranking.queryCache=true",
                "ranking.keepRankCount=5",
                "ranking.totalKeepRankCount=5",
                "ranking.softtimeout.tailcost=0.1",
                "ranking.significance.useModel=false",
                "ranking.matching.termwiseLimit=0.5",
                "ranking.matching.numThreadsPerSearch=2",
                "ranking.matching.weakand.stopwordLimit=0.5",
                "streaming.maxbucketspervisitor=5",
                "streaming.priority=LOW_1",
                "trace.profileDepth=3",
                "rules.off=true",
                "weakAnd.replace=true",
                "wand.hits=5",
                "sorting.degrading=false",
                "dispatch.topKProbability=0.9",
                "mine=whatever"
            })
    void acceptsWithoutEffect(String parameter) throws Exception {
        SearchRequest plain = asked(YQL);

        assertThat(differences("", plain, asked(YQL + "&" + parameter))).isEmpty();
        assertThat(body(YQL + "&" + parameter)).isEqualTo(body(YQL));
    }

    /** Returns the answer without headers, which contain the time. */
    private String body(String query) throws Exception {
        String response = server.get("/search/?" + SearchServer.encoded(query));
        assertThat(response).startsWith("HTTP/1.1 200 ");
        return response.substring(response.indexOf("\r\n\r\n"));
    }

    /** Returns the request for one type; several types are requested at once. */
    private SearchRequest asked(String query) throws Exception {
        server.asked().clear();
        String response = server.get("/search/?" + SearchServer.encoded(query));
        assertThat(response).startsWith("HTTP/1.1 200");
        return server.asked().stream()
                .max(Comparator.comparing(request -> request.scope().documentType()))
                .orElseThrow();
    }

    private static Duration left(SearchRequest request) {
        return request.header().deadline().remaining();
    }

    /** Returns the paths of the components that differ, except headers, which contain the time. */
    private static List<String> differences(String path, Record plain, Record changed)
            throws ReflectiveOperationException {
        var differences = new ArrayList<String>();
        for (RecordComponent component : plain.getClass().getRecordComponents()) {
            Object before = component.getAccessor().invoke(plain);
            Object after = component.getAccessor().invoke(changed);
            String name = path + component.getName();
            if (before.equals(after) || before instanceof RequestHeader) {
                continue;
            }
            switch (after) {
                case QueryNode tree -> differences.add(name + ": " + QueryText.of(tree));
                case Record inner when before.getClass() == after.getClass() ->
                        differences.addAll(differences(name + ".", (Record) before, inner));
                case List<?> list when name.equals("grouping.requests") ->
                        differences.add(name + ": " + list.size());
                default -> differences.add(name + ": " + after);
            }
        }
        return differences;
    }
}
