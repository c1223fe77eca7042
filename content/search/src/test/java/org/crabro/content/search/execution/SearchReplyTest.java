package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the parts of replies other than scores: order, summaries, coverage, warnings, rejections.
 */
class SearchReplyTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void sortsByFieldsWithMissingValuesSmallest() {
        try (var mails = named("d0", 2010, "d1", "unset", "d2", 2008, "d3", 2020)) {
            assertThat(sorted(mails, by("size", false))).containsExactly("d3", "d0", "d2", "d1");
            assertThat(sorted(mails, by("size", true))).containsExactly("d1", "d2", "d0", "d3");
        }
    }

    @Test
    void sortsStringsInLowerCaseAndTiesById() {
        try (var mails =
                new MailBlock(2)
                        .with("z", "lang", new StringValue("apple"))
                        .with("y", "lang", new StringValue("Apple"))
                        .with("x", "lang", new StringValue("banana"))
                        .with("w", "lang", new StringValue("Äpfel"))
                        .with("v")) {
            assertThat(sorted(mails, by("lang", true))).containsExactly("v", "y", "z", "x", "w");
            assertThat(sorted(mails, by("lang", false))).containsExactly("w", "x", "y", "z", "v");
        }
    }

    @Test
    void sortsByTheNextKeyWhereOneIsEqual() {
        try (var mails = named("d0", 1, "d1", 2, "d2", 1, "d3", 2)) {
            assertThat(sorted(mails, by("read", true), new SortKey.Relevance(false)))
                    .containsExactly("d1", "d3", "d0", "d2");
        }
    }

    @Test
    void computesScoresOfHitsThatFieldsPutInOrder() {
        try (var mails = named("d0", 1, "d1", 2)) {
            SearchRequest request = request(new QueryNode.All(), List.of(by("size", false)));

            List<SearchHit> hits = answered(run(mails, request)).hits();

            assertThat(hits).extracting(SearchHit::relevance).containsExactly(2.0, 1.0);
            assertThat(hits.getFirst().sortValues()).containsExactly(Optional.of(new IntValue(2)));
        }
    }

    @Test
    void warnsOfAnUnknownSortFieldAndUsesTheOtherKeys() {
        try (var mails = named("d0", 1, "d1", 2)) {
            SearchRequest request =
                    request(new QueryNode.All(), List.of(by("nosuch", true), by("size", false)));

            SearchReply.Found result = answered(run(mails, request));

            assertThat(result.report().warnings())
                    .containsExactly("Cannot sort by 'nosuch': no such field in 'mail'.");
            assertThat(result.hits())
                    .extracting(hit -> hit.id().user())
                    .containsExactly("d1", "d0");
        }
    }

    @Test
    void returnsTheFieldsOfTheSummaryThatAreSet() {
        try (var mails =
                new MailBlock(1)
                        .with(
                                "a",
                                "title",
                                new StringValue("Hi"),
                                "tags",
                                new ArrayValue(List.of(new StringValue("x"))),
                                "note",
                                new StringValue("n"))) {
            assertThat(summary(mails, SummarySettings.DEFAULT))
                    .containsExactly(
                            Map.entry("title", new StringValue("Hi")),
                            Map.entry("tags", new ArrayValue(List.of(new StringValue("x")))),
                            Map.entry("note", new StringValue("n")));
            assertThat(summary(mails, new SummarySettings("short", List.of())))
                    .containsExactly(Map.entry("subject", new StringValue("Hi")));
            assertThat(summary(mails, new SummarySettings("default", List.of("note", "title"))))
                    .containsOnlyKeys("title", "note");
            assertThat(summary(mails, new SummarySettings("short", List.of("note", "documentid"))))
                    .containsOnlyKeys("note");
        }
    }

    @Test
    void countsAloneWhereNoHitsAreWanted() {
        try (var mails = named("d0", 1, "d1", 2)) {
            SearchRequest request =
                    SearchTest.request(
                            new QueryNode.All(),
                            "default",
                            List.of(),
                            0,
                            new KeyRange.Everything());

            SearchReply.Found result = answered(run(mails, request));

            assertThat(result.hits()).isEmpty();
            assertThat(result.totalCount()).isEqualTo(2);
        }
    }

    @Test
    void warnsOfAFieldThatTheSchemaLacks() {
        try (var mails = named("d0", 1)) {
            QueryNode tree = new QueryNode.Or(List.of(term("nosuch", "x"), term("size", "1")));

            SearchReply.Found result = answered(run(mails, request(tree, List.of())));

            assertThat(result.totalCount()).isEqualTo(1);
            assertThat(result.report().warnings())
                    .containsExactly("Field 'nosuch' does not exist in 'mail'.");
        }
    }

    @Test
    void refusesWhatTheSchemaCannotAnswer() {
        refuses(
                term("note", "x"),
                "field 'note' of 'mail' cannot be searched: its indexing names neither index nor"
                        + " attribute");
        refuses(
                term("vector", "x"),
                "field 'vector' of type tensor<float>(x[4]) cannot be searched this way");
        refuses(
                new QueryNode.Range(
                        "title",
                        new RangeEnd.Unbounded(),
                        new RangeEnd.Unbounded(),
                        TermSettings.DEFAULT),
                "field 'title' of type string cannot be searched this way");
        refuses(
                new QueryNode.NearestNeighbor(
                        "vector", "missing", 1, OptionalDouble.empty(), TermSettings.DEFAULT),
                "Expected a tensor value for 'query(missing)' of nearestNeighbor on 'vector' but"
                        + " got nothing");
        refuses(
                new QueryNode.NearestNeighbor(
                        "vector", "b", 1, OptionalDouble.empty(), TermSettings.DEFAULT),
                "'query(b)' is tensor<int8>(y[2]), which does not fit 'vector' of type"
                        + " tensor<float>(x[4])");
        refuses(
                new QueryNode.NearestNeighbor(
                        "size", "q", 1, OptionalDouble.empty(), TermSettings.DEFAULT),
                "nearestNeighbor needs a tensor field with one indexed dimension; 'size' is int");
        refuses(
                new QueryNode.NearestNeighbor(
                        "vector", "q", 0, OptionalDouble.empty(), TermSettings.DEFAULT),
                "nearestNeighbor on 'vector' needs targetHits of at least 1, not 0");
    }

    @Test
    void namesTheProfilesAndSummariesThatThereAre() {
        try (var mails = named("d0", 1)) {
            SearchReply profile =
                    run(
                            mails,
                            SearchTest.request(
                                    new QueryNode.All(),
                                    "nosuch",
                                    List.of(),
                                    1,
                                    new KeyRange.Everything()));
            SearchReply summary =
                    run(
                            mails,
                            with(
                                    request(new QueryNode.All(), List.of()),
                                    new SummarySettings("nosuch", List.of())));

            assertThat(((SearchReply.Rejected) profile).reason())
                    .startsWith(
                            "there is no rank profile 'nosuch' in 'mail'; there are [again, broken,"
                                    + " ");
            assertThat(((SearchReply.Rejected) summary).reason())
                    .isEqualTo(
                            "there is no document summary 'nosuch' in 'mail'; there are [default,"
                                    + " short]");
        }
    }

    @Test
    void returnsCostAndTrace() {
        try (var mails = named("d0", 1, "d1", 2, "d2", 3)) {
            SearchReply.Found result = answered(run(mails, request(term("size", "2"), List.of())));

            assertThat(result.report().cost().blocks()).isEqualTo(1);
            assertThat(result.report().cost().skippedBlocks()).isEqualTo(1);
            assertThat(result.report().cost().rows()).isEqualTo(3);
            assertThat(result.report().cost().bytes()).isGreaterThanOrEqualTo(2 * 4);
            assertThat(result.report().trace())
                    .anyMatch(line -> line.endsWith("match (number size)"));
            assertThat(result.report().trace())
                    .anyMatch(line ->
                            line.contains(
                                    "looked at 3 of 3 documents in 1 blocks and passed over 1"));
        }
    }

    @Test
    void returnsPartialHitsAfterATimeout() {
        try (var mails = many(40)) {
            SearchReply.Found result = answered(runFor(10, mails, new QueryNode.All(), true));

            assertThat(result.report().coverage().timedOut()).isTrue();
            assertThat(result.report().coverage().total()).isEqualTo(40);
            assertThat(result.report().coverage().documents()).isBetween(1L, 39L);
            assertThat(result.totalCount()).isEqualTo(result.report().coverage().documents());
            assertThat(result.hits()).hasSize((int) Math.min(10, result.totalCount()));
        }
    }

    @Test
    void returnsTheNearestOfWhatItCameTo() {
        try (var mails = many(40)) {
            QueryNode nearest =
                    new QueryNode.NearestNeighbor(
                            "vector", "q", 3, OptionalDouble.empty(), TermSettings.DEFAULT);

            SearchReply.Found result = answered(runFor(10, mails, nearest, true));

            assertThat(result.report().coverage().timedOut()).isTrue();
            assertThat(result.report().coverage().documents()).isBetween(1L, 39L);
            assertThat(result.totalCount())
                    .isEqualTo(Math.min(3, result.report().coverage().documents()));
        }
    }

    @Test
    void scoresByTheWordsThatItCameToCount() {
        try (var mails = many(40)) {
            QueryNode words = term("title", "blue");
            for (int ticks = 20; ticks <= 60; ticks += 20) {
                SearchReply.Found result = answered(runFor(ticks, mails, words, "words", true));

                assertThat(result.report().coverage().timedOut()).isTrue();
                assertThat(result.report().coverage().total()).isEqualTo(40);
                assertThat(result.report().coverage().documents()).isBetween(1L, 39L);
                assertThat(result.hits()).isNotEmpty().allMatch(hit -> hit.relevance() > 0);
                assertThat(runFor(ticks, mails, words, "words", false))
                        .isEqualTo(new SearchReply.TimedOut());
            }
        }
    }

    @Test
    void saysTimedOutWherePartsAreNotWantedOrThereAreNone() {
        try (var mails = many(40)) {
            QueryNode words = term("title", "blue");

            assertThat(runFor(10, mails, new QueryNode.All(), false))
                    .isEqualTo(new SearchReply.TimedOut());
            assertThat(runFor(0, mails, new QueryNode.All(), true))
                    .isEqualTo(new SearchReply.TimedOut());
            assertThat(runFor(0, mails, words, "words", true))
                    .isEqualTo(new SearchReply.TimedOut());
            assertThat(answered(runFor(1_000, mails, words, "words", true)).report().coverage())
                    .isEqualTo(new Coverage(40, 40, false));
        }
    }

    private void refuses(QueryNode tree, String reason) {
        try (var mails = named("d0", 1)) {
            assertThat(run(mails, request(tree, List.of())))
                    .isEqualTo(new SearchReply.Rejected(reason));
        }
    }

    private List<String> sorted(MailBlock mails, SortKey... keys) {
        return answered(run(mails, request(new QueryNode.All(), List.of(keys)))).hits().stream()
                .map(hit -> hit.id().user())
                .toList();
    }

    private Map<String, FieldValue> summary(MailBlock mails, SummarySettings summary) {
        SearchRequest request = with(request(new QueryNode.All(), List.of()), summary);
        return answered(run(mails, request)).hits().getFirst().summary();
    }

    private SearchReply run(MailBlock mails, SearchRequest request) {
        return new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1)
                .run(request, Mails.SCHEMA, List.of(mails.view()));
    }

    private SearchReply runFor(int ticks, MailBlock mails, QueryNode tree, boolean softTimeout) {
        return runFor(ticks, mails, tree, "default", softTimeout);
    }

    /** Runs with a clock that advances by one with each reading. */
    private SearchReply runFor(
            int ticks, MailBlock mails, QueryNode tree, String profile, boolean softTimeout) {
        var clock = new AtomicLong();
        SearchRequest request =
                SearchTest.request(tree, profile, List.of(), 10, new KeyRange.Everything());
        return new Search(
                        new ScanThreads(pool, 1, 1),
                        new ReadAhead(Runnable::run, 1),
                        BlockCaches.none(),
                        new GroupMemory(GroupMemory.bytesByDefault()),
                        clock::getAndIncrement,
                        Search.COUNTS_MAX)
                .run(
                        new SearchRequest(
                                new RequestHeader(
                                        request.header().principal(), 1, new Deadline(ticks)),
                                request.scope(),
                                request.query(),
                                request.hits(),
                                GroupingSettings.NONE,
                                new ReplySettings(softTimeout, 0)),
                        Mails.SCHEMA,
                        List.of(mails.view()));
    }

    private static SearchReply.Found answered(SearchReply reply) {
        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        return (SearchReply.Found) reply;
    }

    private static SearchRequest request(QueryNode tree, List<SortKey> sorting) {
        return SearchTest.request(tree, "default", sorting, 10, new KeyRange.Everything());
    }

    private static SearchRequest with(SearchRequest request, SummarySettings summary) {
        RankSettings ranking = request.query().ranking();
        return new SearchRequest(
                request.header(),
                request.scope(),
                request.query().with(ranking),
                new HitSettings(request.hits().count(), request.hits().sorting(), summary),
                GroupingSettings.NONE,
                request.reply());
    }

    private static SortKey by(String field, boolean ascending) {
        return new SortKey.FieldValueOf(field, ascending);
    }

    private static QueryNode term(String field, String text) {
        return new QueryNode.Term(field, text, TermSettings.DEFAULT);
    }

    /** Mails of names and sizes in turns; a text for a mail without a size. */
    private static MailBlock named(Object... namesAndSizes) {
        var mails = new MailBlock(2);
        for (int i = 0; i < namesAndSizes.length; i += 2) {
            String name = (String) namesAndSizes[i];
            if (namesAndSizes[i + 1] instanceof Integer size) {
                mails.with(name, "size", new IntValue(size));
            } else {
                mails.with(name);
            }
        }
        return mails;
    }

    /** Mails in blocks of their own. */
    private static MailBlock many(int count) {
        var mails = new MailBlock(1);
        for (int i = 0; i < count; i++) {
            mails.with(
                    "d" + i,
                    "size",
                    new IntValue(i),
                    "title",
                    new StringValue("blue"),
                    "vector",
                    new TensorValue(DenseTensor.of(Mails.VECTOR, new double[] {i, 0, 0, 0})));
        }
        return mails;
    }
}
