package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.crabro.component.Hit;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.component.Searcher;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.Federation.Participant;
import org.crabro.config.component.SourceOptions;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Federations over HTTP: two sources of one content cluster. Content nodes are a double. */
class FederatedSearchTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ChainEnding SONGS = new ChainEnding.LocalCluster("songs");
    private static final ChainEnding ALONE = new ChainEnding.Nothing();
    private static final ChainEnding VESPA = new ChainEnding.BuiltIn(true);
    private static final ChainEnding NATIVE = new ChainEnding.BuiltIn(false);
    private static final SourceOptions OPTIONAL =
            new SourceOptions(
                    Optional.empty(), Optional.empty(), Optional.of(true), Optional.empty());
    private static final SourceOptions SHORT = timeout(Duration.ofMillis(1));

    /** Source {@code tracks} searches music, source {@code movies} films. */
    private static final String SCHEMAS =
            "&source.tracks.restrict=music&provider.movies.restrict=films";

    private static final String ALL =
            "yql=select * from sources * where true&streaming.groupname=g" + SCHEMAS;

    /** Names no sources, other than a statement. */
    private static final String WORDS = "query=a&streaming.groupname=g" + SCHEMAS;

    private final SearchServer server = new SearchServer();

    /** Lets sources that are late end after the test. */
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void answers() {
        server.answer(
                "music", SearchServer.reply(5, hit("music", "1", 0.5), hit("music", "2", 0.2)));
        server.answer(
                "films", SearchServer.reply(7, hit("films", "3", 0.4), hit("films", "4", 0.1)));
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alone", "native"})
    void eachSourcesHitsAreAGroup(String parent) throws Exception {
        start(parent.equals("native") ? NATIVE : ALONE, source("tracks"), source("movies"));

        JsonNode root = search(ALL);

        assertThat(root.path("children").toString())
                .isEqualTo(
                        """
                        [{"id":"source:tracks","relevance":1.0,"source":"tracks","children":[%s,%s]},\
                        {"id":"source:movies","relevance":1.0,"source":"movies","children":[%s,%s]}]\
                        """
                                .formatted(
                                        shown("tracks", "music", "1", 0.5),
                                        shown("tracks", "music", "2", 0.2),
                                        shown("movies", "films", "3", 0.4),
                                        shown("movies", "films", "4", 0.1)));
        assertThat(root.path("fields").path("totalCount").asInt()).isEqualTo(12);
    }

    @Test
    void hitGroupsInXml() throws Exception {
        start(ALONE, source("tracks"), source("movies"));

        assertThat(get(ALL + "&format=xml&hits=1"))
                .containsSubsequence(
                        "\n  <group relevancy=\"1.0\" source=\"tracks\">",
                        "\n    <hit type=\"summary\" relevancy=\"0.5\" source=\"tracks\">",
                        "\n      <field name=\"relevancy\">0.5</field>",
                        "\n    </hit>\n  </group>",
                        "\n  <group relevancy=\"1.0\" source=\"movies\">",
                        "\n    <hit type=\"summary\" relevancy=\"0.4\" source=\"movies\">");
        assertThat(get(ALL + "&format=page&hits=1"))
                .containsSubsequence(
                        "\n  <content>",
                        "\n    <group relevance=\"1.0\" source=\"tracks\">",
                        "\n      <id>source:tracks</id>",
                        "\n      <hit type=\"summary\" relevance=\"0.5\" source=\"tracks\">");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                | 1 3 2 4 | 4 4
                    &hits=3           | 1 3 2   | 3 3
                    &hits=2&offset=1  | 3 2     | 3 3
                    &source.tracks.hits=1&hits=9 | 1 3 4 | 1 9
                    """)
    void blendedHitsAreOneListByRelevance(String window, String ids, String asked)
            throws Exception {
        start(VESPA, source("tracks"), source("movies"));

        JsonNode root = search(ALL + (window.isEmpty() ? "&hits=4" : window));

        assertThat(ids(root)).isEqualTo(ids);
        assertThat(root.path("fields").path("totalCount").asInt()).isEqualTo(12);
        assertThat(counts()).isEqualTo(asked);
    }

    /** Returns the hits that the sources were asked for, first those of music. */
    private String counts() {
        return request("music").hits().count() + " " + request("films").hits().count();
    }

    private SearchRequest request(String schema) {
        return server.asked().stream()
                .filter(each -> each.scope().documentType().equals(schema))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void blendedHitsHaveTheOrderOfTheQuery() throws Exception {
        server.answer(
                "music", SearchServer.reply(2, sorted("music", "1", 9), sorted("music", "2", 5)));
        server.answer(
                "films", SearchServer.reply(2, sorted("films", "3", 7), sorted("films", "4", 1)));
        start(VESPA, source("tracks"), source("movies"));

        String byYear = WORDS + "&sorting=-year";

        assertThat(ids(search(byYear))).isEqualTo("1 3 2 4");
        assertThat(ids(search(byYear + "&source.movies.sorting=-[relevance]")))
                .describedAs("sources in different orders are blended by relevance, here by id")
                .isEqualTo("3 4 1 2");
    }

    private static SearchHit sorted(String type, String id, int value) {
        return new SearchHit(
                DocumentId.parse("id:n:%s:g=g:%s".formatted(type, id)),
                0,
                List.of(Optional.of(new FieldValue.IntValue(value))),
                Map.of(),
                Map.of());
    }

    @Test
    void parametersOfASourceApplyToThatSourceAlone() throws Exception {
        start(ALONE, source("tracks"), source("movies"));

        search(
                "yql=select * from sources * where userInput(@words) limit 5&words=one"
                        + "&streaming.groupname=g"
                        + SCHEMAS
                        + "&source.tracks.hits=2&source.tracks.offset=1&provider.movies.words=two"
                        + "&provider.tracks.words=three&source.tracks.words=four");

        assertThat(QueryText.of(request("music").query().tree())).contains("four");
        assertThat(QueryText.of(request("films").query().tree())).contains("two");
        assertThat(counts()).describedAs("hits and offset of tracks together").isEqualTo("3 5");
    }

    @Test
    void anUnknownSourceIsAnErrorBesideTheHitsOfTheOthers() throws Exception {
        start(VESPA, source("tracks"), source("movies"));

        String some = get(WORDS + "&sources=tracks,nope");
        String none = get(WORDS + "&sources=nope");

        assertThat(some).startsWith("HTTP/1.1 200").contains("id:n:music:g=g:1");
        assertThat(some)
                .contains(
                        "\"errors\":[{\"code\":4,\"summary\":\"Invalid query parameter\",\"message\":\"there"
                                + " is no source 'nope'; there are 'tracks', 'movies'\"}]");
        assertThat(none).startsWith("HTTP/1.1 400").doesNotContain("children");
    }

    @Test
    void anUnknownSourceIsAnErrorBesideHitsWithoutAFederation() throws Exception {
        server.start();

        assertThat(get("query=a&streaming.groupname=g&sources=music,nope"))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "id:n:music:g=g:1", "\"code\":4,", "there is no source 'nope'; there are");
        assertThat(get("query=a&streaming.groupname=g&sources=nope")).startsWith("HTTP/1.1 400");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tracks           | tracks
                    movies,tracks    | movies tracks
                    movies@films     | movies
                    songs            | tracks movies
                    music            | tracks movies
                    """)
    void sourcesChooses(String sources, String asked) throws Exception {
        start(
                new OwnChains(
                        chains(
                                chain("default", ALONE, source("tracks"), sourceOf("movies@films")),
                                new OwnChain("tracks", List.of(), SONGS, true),
                                new OwnChain("movies@films", List.of(), SONGS, true)),
                        Optional.empty()));
        String words = "streaming.groupname=g&hits=1";

        assertThat(sections(search("yql=select * from sources * where true&" + words)))
                .isEqualTo("tracks movies");
        String named = get("query=a&" + words + "&sources=" + sources);
        String inYql =
                get(
                        "yql=select * from sources %s where true&"
                                        .formatted(sources.replace('@', '_'))
                                + words);

        assertThat(asked.split(" ")).allMatch(name -> named.contains("\"source\":\"" + name));
        if (!sources.contains("@")) {
            assertThat(asked.split(" ")).allMatch(name -> inYql.contains("\"source\":\"" + name));
        }
    }

    private static Federation.Source sourceOf(String chain) {
        return new Federation.Source(
                "movies", Map.of("films", new Participant(chain, SourceOptions.NONE)));
    }

    private static String sections(JsonNode root) {
        var names = new ArrayList<String>();
        root.path("children").forEach(child -> names.add(child.path("source").asString()));
        return String.join(" ", names);
    }

    @Test
    void aRequestSelectsTheProviderOfASource() throws Exception {
        Map<String, Participant> providers = new LinkedHashMap<>();
        providers.put("first", new Participant("web@first", SourceOptions.NONE));
        providers.put("second", new Participant("web@second", SourceOptions.NONE));
        start(
                new OwnChains(
                        chains(
                                chain("default", ALONE, new Federation.Source("web", providers)),
                                own("web@first", (_, _) -> made("one", 1)),
                                own("web@second", (_, _) -> made("two", 1))),
                        Optional.empty()));

        assertThat(get("query=a")).contains("\"id\":\"one\"");
        assertThat(get("query=a&source.web.provider=second")).contains("\"id\":\"two\"");
        assertThat(get("query=a&source.web.provider=third"))
                .startsWith("HTTP/1.1 400")
                .contains("source 'web' has no provider 'third'; it has first, second");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    false | false | 200 | 12 | Timed out                | source 'late' did not answer in time
                    true  | false | 200 | 8  | Error in search reply.   | optional source: Timed out: source 'late' did not answer in time
                    false | true  | 504 | 12 | Timed out                | source 'late' did not answer in time
                    """)
    void aLateSourceIsAnErrorBesideTheHitsOfTheOthers(
            boolean optional, boolean alone, int status, int code, String summary, String message)
            throws Exception {
        SourceOptions options = optional ? OPTIONAL.within(SHORT) : SHORT;
        Searcher late = (_, _) -> waiting();
        start(
                new OwnChains(
                        chains(
                                alone
                                        ? chain("default", ALONE, source("late", options))
                                        : chain(
                                                "default",
                                                ALONE,
                                                source("tracks"),
                                                source("late", options)),
                                own("late", late),
                                new OwnChain("tracks", List.of(), SONGS, true)),
                        Optional.empty()));

        String response = get(ALL);

        assertThat(response).startsWith("HTTP/1.1 " + status);
        assertThat(response)
                .contains(
                        "\"errors\":[{\"code\":%d,\"summary\":\"%s\",\"source\":\"late\",\"message\":\"%s\"}]"
                                .formatted(code, summary, message));
        if (!alone) {
            assertThat(response).contains("\"id\":\"source:tracks\"", "id:n:music:g=g:1");
        }
    }

    private Result waiting() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Result.of(List.of());
    }

    @ParameterizedTest
    @CsvSource({"false,503,10", "true,200,8"})
    void aFailedOptionalSourceIsAWarning(boolean optional, int status, int code) throws Exception {
        start(
                new OwnChains(
                        chains(
                                chain(
                                        "default",
                                        VESPA,
                                        source("full"),
                                        source("bad", optional ? OPTIONAL : SourceOptions.NONE)),
                                own("full", (_, _) -> Result.of(List.of())),
                                own("bad", (_, _) -> failing())),
                        Optional.empty()));

        assertThat(get("query=a"))
                .startsWith("HTTP/1.1 " + status)
                .contains("\"code\":" + code + ",", "\"source\":\"bad\"");
    }

    private static Result failing() {
        return Result.failed(new QueryError(QueryError.Kind.UNAVAILABLE, "no luck"));
    }

    @Test
    void optionalSourcesAloneAreWaitedFor() throws Exception {
        start(ALONE, source("tracks", OPTIONAL), source("movies", OPTIONAL));

        assertThat(sections(search(ALL))).isEqualTo("tracks movies");
    }

    @Test
    void noSourceHasMoreTimeThanItsTimeoutAndTheRequest() throws Exception {
        List<Duration> left = new ArrayList<>();
        Searcher searcher =
                (query, _) -> {
                    synchronized (left) {
                        left.add(query.timeLeft());
                    }
                    return made("one", 1);
                };
        start(
                new OwnChains(
                        chains(
                                chain(
                                        "default",
                                        ALONE,
                                        source("short", timeout(Duration.ofSeconds(5))),
                                        source("long", timeout(Duration.ofHours(1)))),
                                own("short", searcher),
                                own("long", searcher)),
                        Optional.empty()));

        search("yql=select * from sources * where true&streaming.groupname=g&timeout=20");

        left.sort(null);
        assertThat(left.getFirst()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
        assertThat(left.getLast()).isBetween(Duration.ZERO, Duration.ofSeconds(20));
    }

    @Test
    void aSourceThatIsNotADefaultIsAskedByName() throws Exception {
        SourceOptions named =
                new SourceOptions(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(false));
        start(ALONE, source("tracks"), source("movies", named));

        assertThat(get(ALL)).doesNotContain("films");
        assertThat(get(WORDS + "&sources=movies")).contains("id:n:films:g=g:3");
    }

    @Test
    void builtInChainsAskTheDeclaredSources() throws Exception {
        server.start(
                new OwnChains(
                        chains(
                                new OwnChain("tracks", List.of(), SONGS, true),
                                new OwnChain("movies", List.of(), SONGS, true)),
                        Optional.of(
                                new Federation(
                                        "federation",
                                        List.of(source("tracks"), source("movies"))))));

        assertThat(ids(search(ALL))).isEqualTo("1 3 2 4");
        assertThat(ids(search(ALL + "&searchChain=vespa"))).isEqualTo("1 3 2 4");
        assertThat(sections(search(ALL + "&searchChain=native"))).isEqualTo("tracks movies");
    }

    @Test
    void aClusterIsASourceWithoutADeclaration() throws Exception {
        server.start();

        search("query=a&streaming.groupname=g&restrict=music&source.songs.hits=1");

        assertThat(request("music").hits().count()).isEqualTo(1);
    }

    @Test
    void collapsingLooksAtAllSources() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(2, valued("music", "1", 9, "x"), valued("music", "2", 8, "y")));
        server.answer(
                "films",
                SearchServer.reply(2, valued("films", "3", 7, "x"), valued("films", "4", 1, "z")));
        start(VESPA, source("tracks"), source("movies"));

        JsonNode root = search(ALL + "&collapsefield=title");

        assertThat(ids(root)).isEqualTo("1 2 4");
        assertThat(root.toString()).doesNotContain("$title");
    }

    private static SearchHit valued(String type, String id, double relevance, String title) {
        return new SearchHit(
                DocumentId.parse("id:n:%s:g=g:%s".formatted(type, id)),
                relevance,
                List.of(),
                Map.of("$title", new FieldValue.StringValue(title)),
                Map.of());
    }

    @Test
    void aSourceMayNotHaveMoreHitsThanARequest() throws Exception {
        start(ALONE, source("tracks"), source("movies"));

        assertThat(get(ALL + "&source.tracks.hits=401"))
                .startsWith("HTTP/1.1 200")
                .contains("requested hits: 401, max allowed: 400", "\"source\":\"tracks\"")
                .contains("id:n:films:g=g:3");
    }

    @Test
    void aRequestAsksABoundedNumberOfSources() throws Exception {
        Federation.Source[] many =
                IntStream.range(0, OwnSearch.SOURCES_MAX + 1)
                        .mapToObj(i -> source("s" + i))
                        .toArray(Federation.Source[]::new);
        var chains = new ArrayList<>(List.of(chain("default", VESPA, many)));
        for (Federation.Source each : many) {
            chains.add(own(each.name(), (_, _) -> Result.of(List.of())));
        }
        start(new OwnChains(chains(chains.toArray(OwnChain[]::new)), Optional.empty()));

        assertThat(get("query=a"))
                .startsWith("HTTP/1.1 400")
                .contains("a request may ask at most 1,000 sources");
    }

    @Test
    void aSourceThatIsAFederationIsOneGroup() throws Exception {
        start(
                new OwnChains(
                        chains(
                                chain("default", ALONE, source("both"), source("tracks")),
                                chain("both", ALONE, source("tracks"), source("movies")),
                                new OwnChain("tracks", List.of(), SONGS, true),
                                new OwnChain("movies", List.of(), SONGS, true)),
                        Optional.empty()));

        JsonNode root = search(ALL + "&source.both.sources=movies");

        assertThat(sections(root)).isEqualTo("both tracks");
        assertThat(root.path("children").get(0).toString())
                .contains("id:n:films:g=g:3")
                .doesNotContain("music");
        assertThat(search(ALL).path("children").get(0).path("children").size()).isEqualTo(4);
    }

    @Test
    void searchersAroundAFederationSeeAllHits() throws Exception {
        Searcher searcher =
                (query, execution) -> {
                    Result result = execution.search(query);
                    List<Hit> hits = new ArrayList<>(result.hits());
                    hits.removeIf(hit -> hit.id().endsWith(":2"));
                    hits.addFirst(Hit.of("ad", 1, "ads", Map.of()));
                    return result.withHits(hits);
                };
        var federation = new Federation("f", List.of(source("tracks"), source("movies")));
        start(
                new OwnChains(
                        chains(
                                new OwnChain(
                                        "default",
                                        List.of(
                                                new OwnChain.SearcherStep("one", searcher),
                                                new OwnChain.FederationStep(federation)),
                                        ALONE,
                                        true),
                                new OwnChain("tracks", List.of(), SONGS, true),
                                new OwnChain("movies", List.of(), SONGS, true)),
                        Optional.empty()));

        JsonNode root = search(ALL);

        assertThat(sections(root)).isEqualTo("tracks movies ads");
        assertThat(ids(root.path("children").get(0))).isEqualTo("1");
    }

    @Test
    void aChainWithoutStemmingAsksForExactWords() throws Exception {
        start(
                new OwnChains(
                        chains(
                                chain("default", ALONE, source("tracks"), source("movies")),
                                new OwnChain("tracks", List.of(), SONGS, false),
                                new OwnChain("movies", List.of(), SONGS, true)),
                        Optional.empty()));

        search("query=houses&language=en&streaming.groupname=g" + SCHEMAS);

        assertThat(QueryText.of(request("music").query().tree()))
                .isNotEqualTo(QueryText.of(request("films").query().tree()));
    }

    private void start(ChainEnding ending, Federation.Source... sources) throws Exception {
        start(
                new OwnChains(
                        chains(
                                chain("default", ending, sources),
                                new OwnChain("tracks", List.of(), SONGS, true),
                                new OwnChain("movies", List.of(), SONGS, true)),
                        Optional.empty()));
    }

    private void start(OwnChains chains) throws Exception {
        server.start(chains);
    }

    private static Map<String, OwnChain> chains(OwnChain... chains) {
        var byId = new LinkedHashMap<String, OwnChain>();
        Arrays.stream(chains).forEach(chain -> byId.put(chain.id(), chain));
        return byId;
    }

    private static OwnChain chain(String id, ChainEnding ending, Federation.Source... sources) {
        return new OwnChain(
                id,
                List.of(new OwnChain.FederationStep(new Federation("f", List.of(sources)))),
                ending,
                true);
    }

    private static OwnChain own(String id, Searcher searcher) {
        return new OwnChain(id, List.of(new OwnChain.SearcherStep("one", searcher)), ALONE, true);
    }

    private static Federation.Source source(String name) {
        return source(name, SourceOptions.NONE);
    }

    private static Federation.Source source(String name, SourceOptions options) {
        return Federation.Source.of(name, options);
    }

    private static SourceOptions timeout(Duration timeout) {
        return new SourceOptions(
                Optional.of(timeout), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Result made(String id, double relevance) {
        return Result.of(List.of(Hit.of(id, relevance, "", Map.of())));
    }

    private static SearchHit hit(String type, String id, double relevance) {
        return new SearchHit(
                DocumentId.parse("id:n:%s:g=g:%s".formatted(type, id)),
                relevance,
                List.of(),
                Map.of(),
                Map.of());
    }

    private static String shown(String source, String type, String id, double relevance) {
        return "{\"id\":\"id:n:%2$s:g=g:%3$s\",\"relevance\":%4$s,\"source\":\"%1$s\",\"fields\":{\"sddocname\":\"%2$s\",\"documentid\":\"id:n:%2$s:g=g:%3$s\"}}"
                .formatted(source, type, id, relevance);
    }

    /** Returns the ends of the ids of hits. */
    private static String ids(JsonNode group) {
        var ids = new ArrayList<String>();
        group.path("children")
                .forEach(hit -> {
                    String id = hit.path("id").asString();
                    ids.add(id.substring(id.lastIndexOf(':') + 1));
                });
        return String.join(" ", ids);
    }

    private JsonNode search(String query) throws Exception {
        String response = get(query);
        assertThat(response).startsWith("HTTP/1.1 200");
        return JSON.readTree(response.substring(response.indexOf("\r\n\r\n"))).path("root");
    }

    private String get(String query) throws Exception {
        return server.get("/search/?" + SearchServer.encoded(query));
    }
}
