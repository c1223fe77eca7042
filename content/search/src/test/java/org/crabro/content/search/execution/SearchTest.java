package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.View;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.search.TextOrder;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchTest {
    /** Keys of every kind. */
    static final List<List<SortKey>> SORTINGS =
            List.of(
                    List.of(),
                    List.of(new SortKey.FieldValueOf("lang", true)),
                    List.of(
                            new SortKey.FieldValueOf("size", false),
                            new SortKey.FieldValueOf("price", true),
                            new SortKey.Relevance(true)),
                    List.of(
                            new SortKey.FieldValueOf("labels", true)
                                    .with(new SortKey.Missing.Last()),
                            new SortKey.DocumentIds(false)),
                    List.of(
                            new SortKey.FieldValueOf("size", true)
                                    .with(new SortKey.Missing.As("1")),
                            new SortKey.FieldValueOf("price", false)
                                    .with(new SortKey.Missing.As("0.25")),
                            new SortKey.FieldValueOf("tags", false)
                                    .with(new SortKey.Missing.Last())),
                    List.of(
                            new SortKey.FieldValueOf("code", true)
                                    .with(new TextOrder.Raw())
                                    .with(new SortKey.Missing.As("red"))),
                    List.of(
                            new SortKey.FieldValueOf("tags", true)
                                    .with(
                                            new TextOrder.Collated(
                                                    Optional.of("sv"), Optional.empty())),
                            new SortKey.FieldValueOf("code", false)
                                    .with(
                                            new TextOrder.Collated(
                                                    Optional.empty(),
                                                    Optional.of(TextOrder.Strength.TERTIARY)))
                                    .with(new SortKey.Missing.As("Red"))),
                    List.of(
                            new SortKey.FieldValueOf("read", false),
                            new SortKey.FieldValueOf("weight", true)));

    private static final long SEED = Long.getLong("crabro.seed", 2026);
    static final DenseTensor VECTOR = DenseTensor.of(Mails.VECTOR, new double[] {1, 0, -1, 2});
    private static final DenseTensor BITS = DenseTensor.of(Mails.BITS, new double[] {3, -4});
    static final Map<String, DenseTensor> VECTORS = Map.of("q", VECTOR, "b", BITS);

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void findsAndScoresWhatTheSpecificationSays() {
        var queries = new RandomQueries(SEED);
        List<String> profiles = Mails.PROFILES.keySet().stream().sorted().toList();
        for (int round = 0; round < 12; round++) {
            try (var archive = new Archive(SEED + round, 1 + queries.number(250))) {
                for (int i = 0; i < 40; i++) {
                    QueryNode tree = queries.tree(3);
                    String profile = profiles.get(queries.number(profiles.size()));
                    int hits = queries.number(30);
                    KeyRange range =
                            switch (queries.number(4)) {
                                case 0 -> new KeyRange.Numbered(1);
                                case 1 -> new KeyRange.Group("user2");
                                default -> new KeyRange.Everything();
                            };
                    String description =
                            "%s of %s in %s, %d hits, seed %d"
                                    .formatted(tree, profile, range, hits, SEED);
                    var naive =
                            new NaiveSearch(Mails.SCHEMA, archive.documents(range), tree, VECTORS);

                    SearchReply reply =
                            search.run(
                                    request(tree, profile, List.of(), hits, range),
                                    Mails.SCHEMA,
                                    List.copyOf(archive.views(1 + queries.number(3))));

                    assertThat(reply).as(description).isInstanceOf(SearchReply.Found.class);
                    compare((SearchReply.Found) reply, naive, profile, hits, description);
                }
            }
        }
    }

    static void compare(
            SearchReply.Found result,
            NaiveSearch naive,
            String profile,
            int limit,
            String description) {
        List<Document> matches = naive.matches();
        assertThat(result.totalCount()).as(description).isEqualTo(matches.size());
        assertThat(result.report().coverage().documents())
                .as(description)
                .isEqualTo(naive.scope().size());
        assertThat(result.report().coverage().total())
                .as(description)
                .isEqualTo(naive.scope().size());
        assertThat(result.hits()).as(description).hasSize(Math.min(limit, matches.size()));
        if (limit == 0) {
            return;
        }
        var ranking = new NaiveRanking(naive);
        var scores = new HashMap<DocumentId, Double>();
        matches.forEach(document -> scores.put(document.id(), ranking.score(profile, document)));
        double worst = Double.POSITIVE_INFINITY;
        for (SearchHit hit : result.hits()) {
            Double expected = scores.remove(hit.id());
            assertThat(expected).as("%s: %s", description, hit.id()).isNotNull();
            if (hit.relevance() == Double.NEGATIVE_INFINITY) {
                assertThat(expected).as(description).isEqualTo(Double.NEGATIVE_INFINITY);
            } else {
                assertThat(hit.relevance())
                        .as("%s: %s", description, hit.id())
                        .isCloseTo(expected, within(1e-6));
            }
            worst = Math.min(worst, hit.relevance());
        }
        assertThat(result.hits()).as(description).isSortedAccordingTo(bestFirst());
        for (double left : scores.values()) {
            assertThat(left).as(description).isLessThanOrEqualTo(worst + 1e-6);
        }
    }

    private static Comparator<SearchHit> bestFirst() {
        return Comparator.comparingDouble(SearchHit::relevance)
                .reversed()
                .thenComparing(hit -> hit.id().toString());
    }

    @Test
    void answersTheSameHoweverBlocksAreSpreadOverThreads() {
        var queries = new RandomQueries(SEED);
        try (var archive = new Archive(SEED, 400)) {
            for (int i = 0; i < 30; i++) {
                SearchRequest request =
                        request(
                                queries.tree(2),
                                "hybrid",
                                List.of(),
                                20,
                                new KeyRange.Everything());
                // Blocks are looked at in parts of a few rows too.
                var alone =
                        new Search(
                                new ScanThreads(pool, 1, 1),
                                new ReadAhead(Runnable::run, 1),
                                BlockCaches.none(),
                                new GroupMemory(GroupMemory.bytesByDefault()),
                                System::nanoTime,
                                16);

                List<SearchHit> one = hits(alone, request, archive.views(1));
                List<SearchHit> many = hits(search, request, archive.views(3));

                assertThat(many).as("%s, seed %d", request.query().tree(), SEED).isEqualTo(one);
            }
        }
    }

    @Test
    void mergesPartsToWhatOneSearchOfAllFinds() {
        var queries = new RandomQueries(SEED);
        try (var archive = new Archive(SEED, 300)) {
            for (int i = 0; i < 40; i++) {
                List<SortKey> sorting = SORTINGS.get(i % SORTINGS.size());
                QueryNode tree =
                        new QueryNode.Term("default", queries.word(), TermSettings.DEFAULT);
                // Statistics of parts differ from those of the whole.
                SearchRequest request =
                        with(
                                Statistics.NONE,
                                request(tree, "steps", sorting, 25, new KeyRange.Everything()));

                SearchReply.Found whole = run(request, List.copyOf(archive.views(1)));
                List<SearchReply.Found> parts = new ArrayList<>();
                for (View view : archive.views(4)) {
                    parts.add(run(request, List.of(view)));
                }
                SearchReply.Found merged = SearchReply.Found.merge(parts, sorting, 25);

                assertThat(merged.hits())
                        .as("%s by %s, seed %d", request.query().tree(), sorting, SEED)
                        .isEqualTo(whole.hits());
                assertThat(merged.totalCount()).isEqualTo(whole.totalCount());
                assertThat(merged.report().coverage()).isEqualTo(whole.report().coverage());
            }
        }
    }

    private SearchReply.Found run(SearchRequest request, List<View> views) {
        return (SearchReply.Found) search.run(request, Mails.SCHEMA, views);
    }

    private static List<SearchHit> hits(
            Search search, SearchRequest request, List<Archive.OpenView> views) {
        SearchReply reply = search.run(request, Mails.SCHEMA, List.copyOf(views));
        return ((SearchReply.Found) reply).hits();
    }

    @Test
    void closesEveryViewOnceWhateverHappens() {
        try (var archive = new Archive(SEED, 50)) {
            List<Archive.OpenView> views = new ArrayList<>();
            for (String profile : List.of("default", "nosuch")) {
                List<Archive.OpenView> taken = archive.views(3);
                views.addAll(taken);

                search.run(
                        request(
                                new QueryNode.All(),
                                profile,
                                List.of(),
                                5,
                                new KeyRange.Everything()),
                        Mails.SCHEMA,
                        List.copyOf(taken));
            }

            assertThat(views).extracting(Archive.OpenView::closings).containsOnly(1);
        }
    }

    @Test
    void saysWhatCouldNotBeReadAndPassesOnWhatIsABug() {
        var unreadable = new FailingView(new InternalError("a fault in a mapped file"));
        var buggy = new FailingView(new IllegalStateException("a bug"));
        SearchRequest request =
                request(new QueryNode.All(), "default", List.of(), 1, new KeyRange.Everything());

        assertThat(search.run(request, Mails.SCHEMA, List.of(unreadable)))
                .isEqualTo(new SearchReply.Failed("a fault in a mapped file"));
        assertThatIllegalStateException()
                .isThrownBy(() -> search.run(request, Mails.SCHEMA, List.of(buggy)))
                .withMessage("a bug");
        assertThat(unreadable.closings).isEqualTo(1);
        assertThat(buggy.closings).isEqualTo(1);
    }

    @Test
    void rejectsASearchOfAVirtualThreadIfThePoolIsClosed() throws Exception {
        var view = new FailingView(new IllegalStateException("not to be read"));
        pool.shutdown();
        var reply = new CompletableFuture<SearchReply>();

        Thread.ofVirtual()
                .start(() -> reply.complete(search.run(everything(), Mails.SCHEMA, List.of(view))))
                .join();

        assertThat(reply.get()).isEqualTo(new SearchReply.Failed("the node is being stopped"));
        assertThat(view.closings).isEqualTo(1);
    }

    @Test
    void searchesOnThePlatformThreadThatAsks() {
        pool.shutdown();

        SearchReply reply = search.run(everything(), Mails.SCHEMA, List.of());

        assertThat(reply).isInstanceOf(SearchReply.Found.class);
    }

    private SearchRequest everything() {
        return request(new QueryNode.All(), "default", List.of(), 1, new KeyRange.Everything());
    }

    /** A view that cannot be read. */
    private static final class FailingView implements View {
        private final Throwable problem;
        private int closings;

        FailingView(Throwable problem) {
            this.problem = problem;
        }

        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            switch (problem) {
                case RuntimeException bug -> throw bug;
                case Error error -> throw error;
                default -> throw new IllegalArgumentException(problem);
            }
        }

        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            throw new UnsupportedOperationException("no search of this test has parents");
        }

        @Override
        public void close() {
            closings++;
        }
    }

    static SearchRequest request(
            QueryNode tree, String profile, List<SortKey> sorting, int hits, KeyRange range) {
        Scope scope =
                switch (range) {
                    case KeyRange.Everything() -> new Scope.Everything();
                    case KeyRange.Group(String name) -> new Scope.Group(name);
                    case KeyRange.Numbered(long value) -> new Scope.Numbered(value);
                };
        return new SearchRequest(
                new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                new SearchScope(List.of(0), "mail", scope, List.of()),
                new RankedQuery(
                        tree,
                        new RankSettings(
                                profile,
                                Map.of(
                                        "q",
                                        new QueryInput.TensorInput(VECTOR),
                                        "b",
                                        new QueryInput.TensorInput(BITS)),
                                Statistics.GROUP,
                                Mails.NOW)),
                new HitSettings(hits, sorting, SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    static SearchRequest with(Statistics statistics, SearchRequest request) {
        RankSettings ranking = request.query().ranking();
        return new SearchRequest(
                request.header(),
                request.scope(),
                request.query()
                        .with(
                                new RankSettings(
                                        ranking.profile(),
                                        ranking.inputs(),
                                        statistics,
                                        ranking.nowSeconds())),
                request.hits(),
                GroupingSettings.NONE,
                request.reply());
    }
}
