package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.parent.ParentViews;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.Document;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.onnx.ModelRuns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A search with a selection returns the same as a search of only the selected documents. */
class SelectedSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Of the first document of an archive; each later one is a microsecond younger. */
    private static final long FIRST = 1_700_000_000_000_001L;

    private static final SelectionTypes TYPES = SelectionTypes.of(List.of(Mails.TYPE));

    private static final List<String> SELECTIONS =
            List.of(
                    "",
                    "true",
                    "false",
                    "mail.size > 0",
                    "mail.size <= -2 or mail.read == 1",
                    "mail.lang == \"blue\"",
                    "mail.lang =~ \"^[a-d]\" and not mail.size = 3",
                    "mail.title == null",
                    "mail.price < 0.5",
                    "id.group == \"user2\"",
                    "id.user == 1 or mail.size > 2",
                    "mail.sent > now() - 5000000",
                    "id.namespace == \"nowhere\"");

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void seesNothingButWhatIsMeant() {
        var random = new Random(SEED);
        var queries = new RandomQueries(SEED);
        for (int round = 0; round < 6; round++) {
            try (var archive = new Archive(SEED + round, 1 + random.nextInt(250))) {
                for (String text : SELECTIONS) {
                    int all = archive.documents().size();
                    long from = random.nextBoolean() ? 0 : FIRST + random.nextInt(all);
                    long to =
                            random.nextBoolean() ? Long.MAX_VALUE : FIRST + random.nextInt(all + 1);
                    QueryNode tree = queries.tree(3);
                    String description =
                            "'%s' from %d to %d, %s, seed %d round %d"
                                    .formatted(text, from, to, tree, SEED, round);
                    var scope = new Scope.Selected(new Scope.Everything(), text, from, to);
                    var naive =
                            new NaiveSearch(
                                    Mails.SCHEMA, meant(archive, scope), tree, SearchTest.VECTORS);

                    SearchReply reply =
                            search.run(
                                    in(scope, request(tree, "words")),
                                    Mails.SCHEMA,
                                    TYPES,
                                    ModelRuns.none(),
                                    ParentViews.NONE,
                                    List.copyOf(archive.views(1 + random.nextInt(3))));

                    assertThat(reply).as(description).isInstanceOf(SearchReply.Found.class);
                    SearchTest.compare((SearchReply.Found) reply, naive, "words", 10, description);
                }
            }
        }
    }

    @Test
    void keepsToTheGroupThatIsNamed() {
        try (var archive = new Archive(SEED, 200)) {
            var scope =
                    new Scope.Selected(
                            new Scope.Group("user2"), "mail.size > 0", 0, Long.MAX_VALUE);

            var result = run(archive, scope);

            long expected =
                    archive.documents(new KeyRange.Group("user2")).stream()
                            .filter(each -> isMeant("mail.size > 0", each))
                            .count();
            assertThat(expected).isPositive();
            assertThat(result.totalCount()).isEqualTo(expected);
            assertThat(result.report().coverage().total()).isEqualTo(expected);
        }
    }

    @Test
    void refusesSelectionsOfWhatThereIsNot() {
        try (var archive = new Archive(SEED, 5)) {
            SearchReply reply =
                    search.run(
                            in(selected("film.size > 1"), request(new QueryNode.All(), "words")),
                            Mails.SCHEMA,
                            TYPES,
                            ModelRuns.none(),
                            ParentViews.NONE,
                            List.copyOf(archive.views(1)));

            assertThat(reply).isInstanceOf(SearchReply.Rejected.class);
            assertThat(((SearchReply.Rejected) reply).reason())
                    .startsWith("the selection cannot be used: ");
        }
    }

    @Test
    void omitsWhatWasNotSearchedInTime() {
        try (var archive = new Archive(SEED, 50)) {
            SearchRequest request = in(selected("mail.size > 1"), request(tree(), "words"));
            var late =
                    new RequestHeader(
                            request.header().principal(), 1, Deadline.after(Duration.ZERO));

            SearchReply reply =
                    search.run(
                            with(late, request),
                            Mails.SCHEMA,
                            TYPES,
                            ModelRuns.none(),
                            ParentViews.NONE,
                            List.copyOf(archive.views(1)));

            assertThat(reply).isEqualTo(new SearchReply.TimedOut());
        }
    }

    /** Runs with a clock that advances by one with each reading. */
    @Test
    void searchesThePartThatTimeSufficedToSelect() {
        try (var archive = new Archive(SEED, 250)) {
            SearchRequest request = in(selected("mail.size > 0"), request(tree(), "default"));
            long all = archive.documents().size();
            int parts = 0;
            for (int ticks = 4; ticks < 120; ticks += 4) {
                var clock = new AtomicLong();
                var header =
                        new RequestHeader(request.header().principal(), 1, new Deadline(ticks));

                SearchReply reply =
                        new Search(
                                        new ScanThreads(pool, 1, 1),
                                        new ReadAhead(Runnable::run, 1),
                                        BlockCaches.none(),
                                        new GroupMemory(GroupMemory.bytesByDefault()),
                                        clock::getAndIncrement,
                                        Search.COUNTS_MAX)
                                .run(
                                        with(header, request),
                                        Mails.SCHEMA,
                                        TYPES,
                                        ModelRuns.none(),
                                        ParentViews.NONE,
                                        List.copyOf(archive.views(3)));

                if (reply instanceof SearchReply.Found result
                        && result.report().coverage().timedOut()) {
                    parts +=
                            result.report().coverage().documents()
                                            < result.report().coverage().total()
                                    ? 1
                                    : 0;
                    assertThat(result.report().coverage().total()).isLessThanOrEqualTo(all);
                    assertThat(result.totalCount())
                            .isEqualTo(result.report().coverage().documents());
                    assertThat(result.hits())
                            .allMatch(hit ->
                                    isMeant(
                                            "mail.size > 0",
                                            archive.documents().stream()
                                                    .filter(each -> each.id().equals(hit.id()))
                                                    .findFirst()
                                                    .orElseThrow()));
                }
            }
            assertThat(parts).isPositive();
        }
    }

    @Test
    void omitsPartsUnlessRequested() {
        try (var archive = new Archive(SEED, 250)) {
            var clock = new AtomicLong();
            SearchRequest request = in(selected("mail.size > 0"), request(tree(), "default"));
            var header = new RequestHeader(request.header().principal(), 1, new Deadline(40));
            var hard =
                    new SearchRequest(
                            header,
                            request.scope(),
                            request.query(),
                            request.hits(),
                            request.grouping(),
                            new ReplySettings(false, request.reply().traceLevel()));

            SearchReply reply =
                    new Search(
                                    new ScanThreads(pool, 1, 1),
                                    new ReadAhead(Runnable::run, 1),
                                    BlockCaches.none(),
                                    new GroupMemory(GroupMemory.bytesByDefault()),
                                    () -> clock.getAndAdd(10),
                                    Search.COUNTS_MAX)
                            .run(
                                    hard,
                                    Mails.SCHEMA,
                                    TYPES,
                                    ModelRuns.none(),
                                    ParentViews.NONE,
                                    List.copyOf(archive.views(3)));

            assertThat(reply).isEqualTo(new SearchReply.TimedOut());
        }
    }

    private static QueryNode tree() {
        return new QueryNode.All();
    }

    private static Scope selected(String selection) {
        return new Scope.Selected(new Scope.Everything(), selection, 0, Long.MAX_VALUE);
    }

    private SearchReply.Found run(Archive archive, Scope scope) {
        return (SearchReply.Found)
                search.run(
                        in(scope, request(tree(), "words")),
                        Mails.SCHEMA,
                        TYPES,
                        ModelRuns.none(),
                        ParentViews.NONE,
                        List.copyOf(archive.views(2)));
    }

    private static List<Document> meant(Archive archive, Scope.Selected scope) {
        var meant = new ArrayList<Document>();
        long timestamp = FIRST;
        for (Document each : archive.documents()) {
            boolean inTime = timestamp >= scope.fromTimestamp() && timestamp < scope.toTimestamp();
            if (inTime && isMeant(scope.selection(), each)) {
                meant.add(each);
            }
            timestamp++;
        }
        return meant;
    }

    private static boolean isMeant(String selection, Document document) {
        return Selection.parse(selection, TYPES).of(SelectedDocument.of(document), Mails.NOW)
                == Truth.TRUE;
    }

    private static SearchRequest request(QueryNode tree, String profile) {
        return SearchTest.request(tree, profile, List.of(), 10, new KeyRange.Everything());
    }

    private static SearchRequest in(Scope scope, SearchRequest request) {
        return copy(request.header(), scope, request);
    }

    private static SearchRequest with(RequestHeader header, SearchRequest request) {
        return copy(header, request.scope().documents(), request);
    }

    private static SearchRequest copy(RequestHeader header, Scope scope, SearchRequest request) {
        return new SearchRequest(
                header,
                new SearchScope(
                        request.scope().partitions(),
                        request.scope().documentType(),
                        scope,
                        request.scope().atLeast()),
                request.query(),
                request.hits(),
                GroupingSettings.NONE,
                request.reply());
    }
}
