package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.component.Hit;
import org.crabro.component.InvalidQueryException;
import org.crabro.component.Query;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.component.Searcher;
import org.crabro.config.component.ChainEnding;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Searchers of an application's own around a query over HTTP; content nodes are a double. */
class OwnSearchTest {
    private static final String ALL = "yql=select * from music where true&streaming.groupname=g";

    private final SearchServer server = new SearchServer();

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void queriesGoThroughTheDefaultChainInOrder() throws Exception {
        List<String> order = new ArrayList<>();
        Searcher first =
                (query, execution) -> {
                    order.add("first " + query.property("tint").orElse(""));
                    Result result = execution.search(query.withProperty("tint", "red"));
                    order.add("first again");
                    return result;
                };
        Searcher second =
                (query, execution) -> {
                    order.add("second " + query.property("tint").orElse(""));
                    return execution.search(query);
                };
        server.start(chain("default", true, first, second));

        assertThat(get(ALL + "&tint=blue")).startsWith("HTTP/1.1 200");
        assertThat(get(ALL + "&searchChain=vespa")).startsWith("HTTP/1.1 200");
        assertThat(order).containsExactly("first blue", "second red", "first again");
        assertThat(get(ALL + "&searchChain=nope"))
                .startsWith("HTTP/1.1 400")
                .contains("there is no search chain 'nope'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    filter   | year > 1990            | (and true (range year <1990;]))
                    filters  | title contains "a"     | (and true title:a (range year <3;]))
                    property | select * from music where title contains "b" | title:b
                    """)
    void searchersChangeWhatIsLookedFor(String how, String text, String tree) throws Exception {
        Searcher searcher =
                (query, execution) ->
                        execution.search(
                                switch (how) {
                                    case "filter" -> query.withFilter(text);
                                    case "filters" -> query.withFilter(text).withFilter("year > 3");
                                    default -> query.withProperty("yql", text);
                                });
        server.start(chain("default", true, searcher));

        get(ALL);

        assertThat(QueryText.of(server.asked().getFirst().query().tree())).isEqualTo(tree);
    }

    @Test
    void searchersSeeAndChangeWindowAndTime() throws Exception {
        List<Object> seen = new ArrayList<>();
        Searcher searcher =
                (query, execution) -> {
                    seen.add(query.hits());
                    seen.add(query.offset());
                    seen.add(query.tree());
                    seen.add(query.timeLeft().compareTo(Duration.ofSeconds(5)) < 0);
                    var other = query.withHits(7).withOffset(2).withTimeout(Duration.ofHours(1));
                    seen.add(other.hits());
                    seen.add(other.withoutProperty("streaming.groupname").properties().keySet());
                    seen.add(other.timeLeft().compareTo(Duration.ofSeconds(6)) > 0);
                    return execution.search(other);
                };
        server.start(chain("default", true, searcher));

        get("yql=select * from music where true limit 4 offset 1&streaming.groupname=g&timeout=5");

        assertThat(seen).containsExactly(3, 1, "true", true, 7, Set.of("yql", "timeout"), true);
        assertThat(server.asked().getFirst().hits().count()).isEqualTo(9);
    }

    @Test
    void searchersChangeAddAndRemoveHits() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(
                        5,
                        hit("1", 0.5, "title", "Blue"),
                        hit("2", 0.4, "title", "Red"),
                        hit("3", 0.3, "title", "Green")));
        Searcher searcher =
                (query, execution) -> {
                    Result result = execution.search(query);
                    var hits = new ArrayList<>(result.hits());
                    hits.removeIf(hit -> hit.fields().containsValue(text("Red")));
                    hits.set(0, hits.getFirst().withRelevance(2).withField("note", text("first")));
                    hits.add(Hit.of("ad:1", 0.1, "ads", Map.of("title", text("Buy"))));
                    return result.withHits(hits).withTotalCount(4);
                };
        server.start(chain("default", true, searcher));

        assertThat(get(ALL))
                .endsWith(
                        """
                        "children":[{"id":"id:n:music:g=g:1","relevance":2.0,"source":"songs",\
                        "fields":{"sddocname":"music","documentid":"id:n:music:g=g:1",\
                        "title":"Blue","note":"first"}},{"id":"id:n:music:g=g:3","relevance":0.3,\
                        "source":"songs","fields":{"sddocname":"music",\
                        "documentid":"id:n:music:g=g:3","title":"Green"}},{"id":"ad:1",\
                        "relevance":0.1,"source":"ads","fields":{"title":"Buy"}}]}}\
                        """)
                .contains("\"totalCount\":4");
    }

    @Test
    void searchersAnswerThemselves() throws Exception {
        Searcher searcher = (_, _) -> Result.of(List.of(Hit.of("one", 1, "here", Map.of())));
        server.start(chain("default", false, searcher));

        assertThat(get("query=anything&format=json"))
                .endsWith(
                        """
                        {"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":1},\
                        "children":[{"id":"one","relevance":1.0,"source":"here"}]}}\
                        """);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void searchersAskSeveralTimesAndAtOnce() throws Exception {
        server.answer("music", SearchServer.reply(5, hit("1", 0.5, "title", "Blue")));
        Searcher searcher =
                (query, execution) -> {
                    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        List<Future<Result>> asked = new ArrayList<>();
                        for (int i = 0; i < 10; i++) {
                            asked.add(threads.submit(() -> execution.search(query)));
                        }
                        var hits = new ArrayList<Hit>();
                        for (Future<Result> each : asked) {
                            hits.addAll(each.get().hits());
                        }
                        return asked.getFirst().get().withHits(hits);
                    } catch (ExecutionException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };
        server.start(chain("default", true, searcher));

        String response = get(ALL);
        assertThat(response).contains("\"documents\":100,");
        assertThat(response.split("Blue", -1)).hasSize(11);
        assertThat(server.asked()).hasSize(10);
    }

    @Test
    void degradedCoverageOfAnyQuestionIsTold() throws Exception {
        server.answer(
                "music",
                new SearchReply.Found(
                        List.of(),
                        0,
                        List.of(),
                        new SearchReport(
                                new Coverage(3, 10, true), QueryCost.NONE, List.of(), List.of())));
        List<Object> seen = new ArrayList<>();
        Searcher searcher =
                (query, execution) -> {
                    Result result = execution.search(query);
                    seen.add(result.coverage().orElseThrow());
                    return Result.of(List.of());
                };
        server.start(chain("default", true, searcher));

        assertThat(get(ALL)).contains("\"coverage\":30").contains("\"degraded\"");
        assertThat(seen).containsExactly(new Result.Coverage(3, 10, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    throws  | 500 | 5 | searcher 'one' of chain 'default' failed: class org.crabro.container.search.OwnSearchTest$Broken threw java.lang.IllegalStateException: no luck
                    error   | 500 | 5 | searcher 'one' of chain 'default' failed: class org.crabro.container.search.OwnSearchTest$Broken threw java.lang.NoClassDefFoundError: other/Thing
                    deep    | 500 | 5 | searcher 'one' of chain 'default' failed: class org.crabro.container.search.OwnSearchTest$Broken threw java.lang.StackOverflowError
                    null    | 500 | 5 | searcher 'one' of chain 'default' failed: class org.crabro.container.search.OwnSearchTest$Broken returned nothing
                    invalid | 400 | 3 | expected a color
                    filter  | 400 | 3 | filter 'nope nope':
                    close   | 400 | 3 | filter 'true) or (true':
                    clause  | 400 | 3 | filter 'true) limit 1 offset (0':
                    hits    | 400 | 3 | requested hits: 1000000, max allowed: 400
                    """)
    void reportsFaultsOfASearcher(String how, int status, int code, String message)
            throws Exception {
        server.start(
                new OwnChain(
                        "default",
                        List.of(new OwnChain.SearcherStep("one", new Broken(how))),
                        new ChainEnding.BuiltIn(true),
                        true));

        String response = get(ALL);

        assertThat(response)
                .startsWith("HTTP/1.1 " + status)
                .contains("\"code\":" + code + ",")
                .contains("\"message\":\"" + message.strip());
        assertThat(get(ALL + "&searchChain=vespa")).startsWith("HTTP/1.1 200");
    }

    private record Broken(String how) implements Searcher {
        @Override
        public Result search(Query query, Execution execution) {
            return switch (how) {
                case "throws" -> throw new IllegalStateException("no luck");
                case "error" -> throw new NoClassDefFoundError("other/Thing");
                case "deep" -> search(query, execution);
                case "null" -> nothing();
                case "invalid" -> throw new InvalidQueryException("expected a color");
                case "filter" -> execution.search(query.withFilter("nope nope"));
                case "close" -> execution.search(query.withFilter("true) or (true"));
                case "clause" -> execution.search(query.withFilter("true) limit 1 offset (0"));
                default -> execution.search(query.withHits(1_000_000));
            };
        }

        @SuppressWarnings("NullAway") // simulates a class that was compiled without the check
        private static Result nothing() {
            return null;
        }
    }

    @ParameterizedTest
    @EnumSource(QueryError.Kind.class)
    void errorsHaveTheirStatus(QueryError.Kind kind) throws Exception {
        Searcher searcher = (_, _) -> Result.failed(new QueryError(kind, "why"));
        server.start(chain("default", true, searcher));

        int status =
                switch (kind) {
                    case INVALID_QUERY -> 400;
                    case FORBIDDEN -> 403;
                    case OVERLOADED -> 429;
                    case UNAVAILABLE -> 503;
                    case TIMED_OUT -> 504;
                    case FAILED -> 500;
                    case WARNING -> 200;
                };
        assertThat(get(ALL)).startsWith("HTTP/1.1 " + status).contains("\"message\":\"why\"");
    }

    @Test
    void aSearcherWhoseModelGetsNoCoreIsNotBroken() throws Exception {
        Searcher searcher =
                (_, _) -> {
                    throw new ModelBusyException("no core was free for the model in time");
                };
        server.start(chain("default", true, searcher));

        assertThat(get(ALL))
                .startsWith("HTTP/1.1 429")
                .contains("\"message\":\"no core was free for the model in time\"");
    }

    @Test
    void errorsOfTheQueryComeThroughAsTheyWere() throws Exception {
        List<Object> seen = new ArrayList<>();
        Searcher searcher =
                (query, execution) -> {
                    Result result = execution.search(query);
                    result.errors().forEach(error -> seen.add(error.kind()));
                    return result;
                };
        server.start(chain("default", true, searcher));
        String broken = "yql=select * from music were true&searchChain=";

        String own = get(broken + "default");
        String builtIn = get(broken + "vespa");

        assertThat(own.lines().toList().getLast()).isEqualTo(builtIn.lines().toList().getLast());
        assertThat(seen).containsExactly(QueryError.Kind.INVALID_QUERY);
    }

    @Test
    void aTraceShowsTheSearchers() throws Exception {
        Searcher searcher =
                (query, execution) -> {
                    query.trace("level " + query.traceLevel());
                    return execution.search(query);
                };
        server.start(chain("default", true, searcher));

        assertThat(get(ALL)).doesNotContain("trace");
        assertThat(get(ALL + "&trace.level=1")).contains("level 1").doesNotContain("Chain");
        assertThat(get(ALL + "&trace.level=3"))
                .containsSubsequence(
                        "Chain 'default': one, vespa",
                        "Searcher 'one': begin",
                        "level 3",
                        "Query as searched: true",
                        "Searcher 'one': end, 0 hits of 0 after ");
    }

    private static OwnChain chain(String id, boolean goesOn, Searcher... searchers) {
        List<String> names = List.of("one", "two");
        var steps = new ArrayList<OwnChain.Step>();
        for (Searcher searcher : searchers) {
            steps.add(new OwnChain.SearcherStep(names.get(steps.size()), searcher));
        }
        return new OwnChain(
                id,
                steps,
                goesOn ? new ChainEnding.BuiltIn(true) : new ChainEnding.Nothing(),
                true);
    }

    private static FieldValue text(String text) {
        return new FieldValue.StringValue(text);
    }

    private static org.crabro.protocol.search.SearchHit hit(
            String id, double relevance, String field, String value) {
        return new org.crabro.protocol.search.SearchHit(
                DocumentId.parse("id:n:music:g=g:" + id),
                relevance,
                List.of(),
                Map.of(field, text(value)),
                Map.of());
    }

    private String get(String query) throws Exception {
        return server.get("/search/?" + SearchServer.encoded(query));
    }
}
