package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupExpression.Call;
import org.crabro.protocol.grouping.GroupExpression.Text;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.grouping.ListLabel;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.grouping.ListedGroups;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupedSearchTest {
    /** The number of bytes that queries draw at a time from the memory of the node. */
    private static final long CHUNK = 1 << 20;

    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String ZONE = "America/New_York";
    private static final String PROFILE = "default";
    private static final long MANY_BYTES = 1L << 30;

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void groupsAsTheSpecificationSays() {
        var random = new Random(SEED);
        var queries = new RandomQueries(SEED);
        for (int round = 0; round < 25; round++) {
            try (var archive = new Archive(SEED + round, 1 + random.nextInt(200))) {
                for (int i = 0; i < 20; i++) {
                    QueryNode tree = i % 2 == 0 ? new QueryNode.All() : queries.tree(2);
                    GroupPlan plan = new RandomGroupings(random).plan(1 + random.nextInt(2));
                    boolean everything = random.nextInt(8) == 0 && !hasHits(plan);
                    int documents =
                            everything || random.nextInt(6) > 0 ? -1 : random.nextInt(1, 20);
                    var request = new GroupingRequest(everything, documents, plan, List.of());
                    SearchRequest plain = request(tree, 10_000);
                    Map<DocumentId, Double> scores = scores(archive, plain);
                    List<Document> matching =
                            archive.documents().stream()
                                    .filter(each -> everything || scores.containsKey(each.id()))
                                    .toList();
                    boolean scored = request.needsScores();
                    var naive =
                            new NaiveGrouping(
                                    ZoneId.of(ZONE),
                                    each -> scored ? scores.getOrDefault(each.id(), 0.0) : 0);
                    String expected = naive.text(best(matching, scores, documents), plan);
                    String description =
                            "%s, documents %d, everything %s, tree %s, seed %d round %d query %d"
                                    .formatted(plan, documents, everything, tree, SEED, round, i);

                    // The container chooses groups after it has merged all groups of all nodes.
                    for (boolean whole :
                            plan.chooses() ? new boolean[] {false} : new boolean[] {true, false}) {
                        var settings =
                                new GroupingSettings(List.of(request), ZONE, whole, MANY_BYTES);
                        SearchReply reply =
                                search.run(
                                        grouped(plain, random.nextBoolean() ? 0 : 5, settings),
                                        Mails.SCHEMA,
                                        List.copyOf(archive.views(1 + random.nextInt(3))));

                        assertThat(reply).as(description).isInstanceOf(SearchReply.Found.class);
                        Group<SearchHit> root = ((SearchReply.Found) reply).groups().getFirst();
                        if (!whole) {
                            root = new GroupWindow(request, ZoneId.of(ZONE)).shown(root, plan, 0);
                        }
                        assertThat(GroupText.of(root, plan).lines())
                                .as(description)
                                .containsExactlyElementsOf(expected.lines().toList());
                    }
                }
            }
        }
    }

    @Test
    void groupsOfSeveralNodesMergeIntoThoseOfOne() {
        var random = new Random(SEED);
        for (int round = 0; round < 20; round++) {
            try (var archive = new Archive(SEED + round, 150)) {
                GroupPlan plan = new RandomGroupings(random).plan(2);
                var request = new GroupingRequest(false, -1, plan, List.of());
                var part = new GroupingSettings(List.of(request), ZONE, false, MANY_BYTES);
                var one = new GroupingSettings(List.of(request), ZONE, !plan.chooses(), MANY_BYTES);
                SearchRequest plain = request(new QueryNode.All(), 0);

                List<SearchReply.Found> parts = new ArrayList<>();
                archive.views(3)
                        .forEach(view ->
                                parts.add(
                                        (SearchReply.Found)
                                                search.run(
                                                        grouped(plain, 0, part),
                                                        Mails.SCHEMA,
                                                        List.of(view))));
                var whole =
                        (SearchReply.Found)
                                search.run(
                                        grouped(plain, 0, one),
                                        Mails.SCHEMA,
                                        List.copyOf(archive.views(1)));
                List<Group<SearchHit>> merged =
                        SearchReply.Found.mergeGroups(parts, List.of(request), List.of());

                Group<SearchHit> expected = whole.groups().getFirst();
                if (plan.chooses()) {
                    expected = new GroupWindow(request, ZoneId.of(ZONE)).shown(expected, plan, 0);
                }
                assertThat(
                                GroupText.of(
                                        new GroupWindow(request, ZoneId.of(ZONE))
                                                .shown(merged.getFirst(), plan, 0),
                                        plan))
                        .as("%s, seed %d round %d", plan, SEED, round)
                        .isEqualTo(GroupText.of(expected, plan));
            }
        }
    }

    /** Texts are numbers as for tolong, bytes are their first eight, most significant first. */
    @Test
    void numericFunctionsTakeTextsAndBytes() {
        GroupExpression bytes = Call.of(GroupFunction.TO_RAW, new Text("\0\0\0\0\0\0\1\2\3"));
        GroupExpression fewBytes = Call.of(GroupFunction.TO_RAW, new Text("A"));
        GroupExpression zero = new GroupExpression.Whole(0);

        assertThat(max(Call.of(GroupFunction.ADD, new Text("12ab"), new Text("0x10"))))
                .isEqualTo("28");
        assertThat(max(Call.of(GroupFunction.NEG, new Text("-7")))).isEqualTo("7");
        assertThat(max(Call.of(GroupFunction.SQRT, new Text("9")))).isEqualTo("3.0");
        assertThat(max(Call.of(GroupFunction.XOR, bytes, zero))).isEqualTo("258");
        assertThat(max(Call.of(GroupFunction.ADD, fewBytes, zero)))
                .isEqualTo(Long.toString(65L << 56));
        assertThat(max(Call.of(GroupFunction.TO_LONG, bytes))).isEqualTo("258");
        assertThat(one(Aggregator.SUM, new Text("2.5"))).isEqualTo("17.5");
        assertThat(one(Aggregator.XOR, new Text("5"))).isEqualTo("5");
        assertThat(one(Aggregator.XOR, bytes)).isEqualTo("258");
        assertThat(one(Aggregator.AVG, new Text("3"))).isEqualTo("3.0");
    }

    @Test
    void bytesFallIntoBucketsOfBytes() {
        var buckets =
                List.of(
                        new GroupBucket(
                                Optional.of(new GroupValue.Raw("A")),
                                Optional.of(new GroupValue.Raw("\u00ff"))),
                        new GroupBucket(
                                Optional.of(new GroupValue.Raw("\u00ff")), Optional.empty()));
        var list =
                new ListPlan(
                        new ListLabel("x", 2),
                        new GroupExpression.Predefined(
                                Call.of(GroupFunction.TO_RAW, new Text("\u00e9")), buckets),
                        Optional.empty(),
                        new ListedGroups(true, 10, true, List.of(), List.of(), Optional.empty()),
                        List.of(),
                        GroupPlan.NOTHING);
        var plan = new GroupPlan(List.of(), List.of(), List.of(list), List.of());

        assertThat(GroupText.of(group(plan), plan)).isEqualTo("x (1):\n  QQ==../w==\n");
    }

    private String max(GroupExpression of) {
        return one(Aggregator.MAX, of);
    }

    /** Returns an aggregate of seven documents. */
    private String one(Aggregator aggregator, GroupExpression of) {
        var aggregate = new GroupExpression.Aggregate(aggregator, Optional.of(of));
        var plan =
                new GroupPlan(
                        List.of(aggregate),
                        List.of(new Output(aggregate, "it")),
                        List.of(),
                        List.of());
        return GroupText.of(group(plan), plan).replace("it = ", "").strip();
    }

    private Group<SearchHit> group(GroupPlan plan) {
        try (var archive = new Archive(SEED, 7)) {
            var request = new GroupingRequest(true, -1, plan, List.of());
            var settings = new GroupingSettings(List.of(request), ZONE, true, MANY_BYTES);
            SearchReply reply =
                    search.run(
                            grouped(request(new QueryNode.All(), 0), 0, settings),
                            Mails.SCHEMA,
                            List.copyOf(archive.views(1)));
            return ((SearchReply.Found) reply).groups().getFirst();
        }
    }

    @Test
    void groupsThatNeedMoreMemoryThanThereIsAreRefused() {
        try (var archive = new Archive(SEED, 200)) {
            GroupingSettings settings = bySent(2_000);

            SearchReply reply =
                    search.run(
                            grouped(request(new QueryNode.All(), 0), 0, settings),
                            Mails.SCHEMA,
                            List.copyOf(archive.views(1)));

            assertThat(reply).isInstanceOf(SearchReply.Rejected.class);
            assertThat(((SearchReply.Rejected) reply).reason())
                    .startsWith("the groups need more than 2000 bytes of memory");
        }
    }

    /** Searches are rejected while others use the memory; they succeed later. */
    @Test
    void groupsOfAllQueriesShareTheMemoryOfTheNode() throws Exception {
        SearchRequest request = grouped(request(new QueryNode.All(), 0), 0, bySent(MANY_BYTES));
        try (var archive = new Archive(SEED, 200)) {
            Search full = search(CHUNK - 1);
            Search free = search(2 * CHUNK);
            List<SearchReply> replies = new ArrayList<>();
            try (var clients = Executors.newFixedThreadPool(4)) {
                for (Future<SearchReply> each :
                        clients.invokeAll(
                                Collections.<Callable<SearchReply>>nCopies(
                                        40, () -> reply(free, request, archive)))) {
                    replies.add(each.get());
                }
            }

            assertThat(reply(full, request, archive))
                    .isEqualTo(
                            new SearchReply.Overloaded(
                                    "the groups of all queries need more than 1048575 bytes of"
                                            + " memory, which is the limit of the node"
                                            + " (groupBytes): try again later"));
            assertThat(replies)
                    .allMatch(reply ->
                            reply instanceof SearchReply.Found
                                    || reply instanceof SearchReply.Overloaded);
            for (int i = 0; i < 5; i++) {
                assertThat(reply(free, request, archive)).isInstanceOf(SearchReply.Found.class);
            }
        }
    }

    private static SearchReply reply(Search asked, SearchRequest request, Archive archive) {
        return asked.run(request, Mails.SCHEMA, List.copyOf(archive.views(1)));
    }

    private Search search(long groupBytes) {
        return new Search(
                new ScanThreads(pool, 1, 1),
                new ReadAhead(Runnable::run, 1),
                BlockCaches.none(),
                groupBytes,
                ScanLimits.DEFAULT);
    }

    private static GroupingSettings bySent(long maxBytes) {
        GroupPlan plan =
                new GroupPlan(
                        List.of(),
                        List.of(),
                        List.of(
                                new ListPlan(
                                        new ListLabel("x", 2),
                                        GroupExpression.FieldOf.of("sent"),
                                        Optional.empty(),
                                        new ListedGroups(
                                                true,
                                                10,
                                                true,
                                                List.of(),
                                                List.of(),
                                                Optional.empty()),
                                        List.of(),
                                        GroupPlan.NOTHING)),
                        List.of());
        return new GroupingSettings(
                List.of(new GroupingRequest(false, -1, plan, List.of())), "UTC", true, maxBytes);
    }

    private static boolean hasHits(GroupPlan plan) {
        return !plan.hits().isEmpty()
                || plan.lists().stream().anyMatch(list -> hasHits(list.group()));
    }

    private static List<Document> best(
            List<Document> all, Map<DocumentId, Double> scores, int documents) {
        if (documents < 0) {
            return all;
        }
        return all.stream()
                .sorted(
                        Comparator.comparingDouble(
                                        (Document each) -> -scores.getOrDefault(each.id(), 0.0))
                                .thenComparing(each -> each.id().toString()))
                .limit(documents)
                .toList();
    }

    private Map<DocumentId, Double> scores(Archive archive, SearchRequest request) {
        var result =
                (SearchReply.Found)
                        search.run(request, Mails.SCHEMA, List.copyOf(archive.views(1)));
        Map<DocumentId, Double> scores = new HashMap<>();
        result.hits().forEach(hit -> scores.put(hit.id(), hit.relevance()));
        return scores;
    }

    private static SearchRequest request(QueryNode tree, int hits) {
        return SearchTest.request(tree, PROFILE, List.of(), hits, new KeyRange.Everything());
    }

    private static SearchRequest grouped(
            SearchRequest request, int hits, GroupingSettings grouping) {
        return new SearchRequest(
                request.header(),
                request.scope(),
                request.query(),
                new HitSettings(hits, request.hits().sorting(), request.hits().summary()),
                grouping,
                request.reply());
    }
}
