package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput.NumberInput;
import org.crabro.protocol.search.QueryInput.TensorInput;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares scores with expected values in the test. */
class RankingTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void countsExactlyWhatIsSearchedForBm25() {
        try (var mails =
                new MailBlock(2)
                        .with("a", "title", new StringValue("blue blue house"))
                        .with("b", "title", new StringValue("blue"))
                        .with("c", "title", new StringValue("red tree"))
                        .with("d", "size", new IntValue(1))) {

            List<SearchHit> hits = hits(mails, term("title", "blue"), "words", Statistics.GROUP);

            // 4 documents, 2 of them with the word; 6 words in the 3 that have a title.
            double idf = Math.log(1 + (4 - 2 + 0.5) / (2 + 0.5));
            double a = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.0));
            double b = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2.0));
            assertThat(hits).extracting(hit -> hit.id().user()).containsExactly("b", "a");
            assertThat(hits.get(0).relevance()).isCloseTo(b, within(1e-12));
            assertThat(hits.get(1).relevance()).isCloseTo(a, within(1e-12));
        }
    }

    @Test
    void usesConstantsIfStatisticsAreOff() {
        try (var mails = new MailBlock(2).with("a", "title", new StringValue("blue blue house"))) {
            List<SearchHit> hits = hits(mails, term("title", "blue"), "words", Statistics.NONE);

            double idf = 0.2876820724517809;
            assertThat(hits.getFirst().relevance())
                    .isCloseTo(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 100)), within(1e-12));
        }
    }

    /**
     * Statistics from the query have precedence over counted ones, and properties over the profile.
     */
    @Test
    void usesTheStatisticsOfAWordInTheQuery() {
        try (var mails = new MailBlock(2).with("a", "title", new StringValue("blue blue house"))) {
            double times = 2 * 2.2 / (2 + 1.2);
            double rare = Math.log(1 + (101 - 13 + 0.5) / (13 + 0.5));
            TermHints none = TermHints.NONE;

            assertThat(score(mails, none.withSignificance(0.5), Statistics.GROUP))
                    .isCloseTo(0.5 * times, within(1e-12));
            assertThat(
                            score(
                                    mails,
                                    none.withFrequency(new TermHints.Frequency(13, 101)),
                                    Statistics.GROUP))
                    .isCloseTo(rare * times, within(1e-12));
            assertThat(
                            score(
                                    mails,
                                    none.withFrequency(new TermHints.Frequency(13, 101))
                                            .withSignificance(0.25),
                                    Statistics.GROUP))
                    .isCloseTo(rare * times, within(1e-12));
        }
    }

    @Test
    void prefersPropertiesOfTheQuery() {
        try (var mails = new MailBlock(2).with("a", "title", new StringValue("blue blue house"))) {
            SearchRequest request =
                    SearchTest.request(
                            term("title", "blue"),
                            "words",
                            List.of(),
                            10,
                            new KeyRange.Everything());
            var overrides =
                    new RankOverrides(
                            Map.of("bm25(title).k1", "0", "bm25(title).b", "0"),
                            Map.of(),
                            false,
                            Map.of());

            List<SearchHit> hits =
                    hits(mails, request.with(request.query().ranking().with(overrides)));

            assertThat(hits.getFirst().relevance())
                    .isCloseTo(Math.log(1 + 0.5 / 1.5), within(1e-12));
        }
    }

    private double score(MailBlock mails, TermHints hints, Statistics statistics) {
        var settings = new TermSettings(100, true, TermSettings.Affix.FIELD, hints);
        return hits(mails, new QueryNode.Term("title", "blue", settings), "words", statistics)
                .getFirst()
                .relevance();
    }

    @Test
    void prefersTheValuesOfTheProfile() {
        try (var mails = new MailBlock(2).with("a", "title", new StringValue("blue blue house"))) {
            List<SearchHit> hits = hits(mails, term("title", "blue"), "tuned", Statistics.GROUP);

            double idf = Math.log(1 + 0.5 / 1.5);
            assertThat(hits.getFirst().relevance())
                    .isCloseTo(idf * 2 * 3 / (2 + 2 * (0.25 + 0.75 * 3 / 5)), within(1e-12));
        }
    }

    @Test
    void addsUpTermsAndPhrases() {
        try (var mails =
                new MailBlock(2)
                        .with("a", "title", new StringValue("blue house, blue house"))
                        .with("b", "title", new StringValue("house blue"))) {
            QueryNode tree =
                    new QueryNode.Or(List.of(term("title", "blue house"), term("title", "house")));

            List<SearchHit> hits = hits(mails, tree, "words", Statistics.GROUP);

            double norm = 1.2 * (0.25 + 0.75 * 4 / 3.0);
            double phrase = Math.log(1 + 1.5 / 1.5) * 2 * 2.2 / (2 + norm);
            double word = Math.log(1 + 0.5 / 2.5) * 2 * 2.2 / (2 + norm);
            assertThat(hits.getFirst().id().user()).isEqualTo("a");
            assertThat(hits.getFirst().relevance()).isCloseTo(phrase + word, within(1e-12));
            assertThat(hits.getFirst().matchFeatures().get("terms")).isEqualTo(new NumberInput(2));
        }
    }

    @Test
    void doesNotScoreWithWhatIsNotRanked() {
        try (var mails = new MailBlock(2).with("a", "title", new StringValue("blue"))) {
            QueryNode tree =
                    new QueryNode.Term(
                            "title",
                            "blue",
                            new TermSettings(100, false, TermSettings.Affix.FIELD));

            List<SearchHit> hits = hits(mails, tree, "words", Statistics.GROUP);

            assertThat(hits.getFirst().relevance()).isZero();
            assertThat(hits.getFirst().matchFeatures().get("terms")).isEqualTo(new NumberInput(0));
        }
    }

    @Test
    void fallsWithAge() {
        long now = Mails.NOW;
        try (var mails =
                new MailBlock(9)
                        .with("new", "sent", new LongValue(now))
                        .with("future", "sent", new LongValue(now + 50))
                        .with("week", "sent", new LongValue(now - 604_800))
                        .with("old", "sent", new LongValue(now - 7_776_000))
                        .with("unknown")) {

            List<SearchHit> hits = hits(mails, new QueryNode.All(), "fresh", Statistics.GROUP);

            assertThat(hits)
                    .extracting(hit -> hit.id().user())
                    .containsExactly("future", "new", "week", "old", "unknown");
            // Half response: the logarithmic form is one half at 604800 seconds.
            double week = 1 - 604_800 / 7_776_000.0 + 100 * 0.5;
            assertThat(hits.get(0).relevance()).isCloseTo(101, within(1e-9));
            assertThat(hits.get(2).relevance()).isCloseTo(week, within(1e-9));
            assertThat(hits.get(4).relevance()).isCloseTo(0, within(1e-9));
        }
    }

    @Test
    void putsWhatIsNoNumberLast() {
        try (var mails =
                new MailBlock(9)
                        .with("nan", "size", new IntValue(1))
                        .with("inf", "size", new IntValue(0), "weight", new DoubleValue(1))
                        .with("low", "size", new IntValue(1), "weight", new DoubleValue(-9))) {

            List<SearchHit> hits = hits(mails, new QueryNode.All(), "broken", Statistics.GROUP);

            assertThat(hits)
                    .extracting(hit -> hit.id().user())
                    .containsExactly("low", "inf", "nan");
            assertThat(hits.get(1).relevance()).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(hits.get(2).relevance()).isEqualTo(Double.NEGATIVE_INFINITY);
        }
    }

    @Test
    void breaksTiesOfNeighborsByDocumentId() {
        try (var mails = new MailBlock(2)) {
            for (String user : List.of("f", "e", "d", "c", "b", "a")) {
                mails.with(user, "vector", vector(1, 0, 0, 0));
            }
            mails.with("near", "vector", vector(1, 0, -1, 2)).with("none");

            List<SearchHit> hits =
                    hits(mails, nearest(3, OptionalDouble.empty()), "near", Statistics.NONE);

            assertThat(hits).extracting(hit -> hit.id().user()).containsExactly("near", "a", "b");
            assertThat(hits.getFirst().relevance()).isEqualTo(1);
        }
    }

    @Test
    void selectsNeighborsAmongWhatPassesTheOtherConditions() {
        try (var mails = new MailBlock(2)) {
            for (int i = 0; i < 20; i++) {
                mails.with(
                        "d" + (char) ('a' + i),
                        "vector",
                        vector(1, 0, -1, 2 + i),
                        "size",
                        new IntValue(i % 5));
            }
            QueryNode tree =
                    new QueryNode.And(
                            List.of(nearest(2, OptionalDouble.empty()), term("size", "3")));

            List<SearchHit> hits = hits(mails, tree, "near", Statistics.NONE);

            assertThat(hits).extracting(hit -> hit.id().user()).containsExactly("dd", "di");
        }
    }

    @Test
    void leavesOutWhatIsFartherThanTheThreshold() {
        try (var mails =
                new MailBlock(2)
                        .with("at", "vector", vector(1, 0, -1, 4))
                        .with("behind", "vector", vector(1, 0, -1, 5))) {

            List<SearchHit> hits =
                    hits(mails, nearest(9, OptionalDouble.of(2)), "near", Statistics.NONE);

            assertThat(hits).extracting(hit -> hit.id().user()).containsExactly("at");
        }
    }

    @Test
    void computesClosenessOfWhatOnlyOtherConditionsMatch() {
        try (var mails =
                new MailBlock(2)
                        .with("near", "vector", vector(1, 0, -1, 2))
                        .with("far", "vector", vector(1, 0, -1, 5), "size", new IntValue(7))
                        .with("without", "size", new IntValue(7))) {
            QueryNode tree =
                    new QueryNode.Or(
                            List.of(nearest(1, OptionalDouble.empty()), term("size", "7")));

            List<SearchHit> hits = hits(mails, tree, "near", Statistics.NONE);

            assertThat(hits)
                    .extracting(hit -> hit.id().user() + " " + hit.relevance())
                    .containsExactly("near 1.0", "far 0.25", "without 0.0");
        }
    }

    @Test
    void returnsMatchFeaturesInTheOrderOfTheProfile() {
        try (var mails =
                new MailBlock(2).with("a", "vector", vector(1, 2, 3, 4), "size", new IntValue(4))) {

            List<SearchHit> hits = hits(mails, new QueryNode.All(), "default", Statistics.GROUP);

            assertThat(hits.getFirst().matchFeatures())
                    .containsExactly(
                            Map.entry("score", new NumberInput(4)),
                            Map.entry("bm25(title)", new NumberInput(0)),
                            Map.entry("terms", new NumberInput(0)),
                            Map.entry(
                                    "vector",
                                    new TensorInput(
                                            DenseTensor.of(
                                                    Mails.VECTOR, new double[] {1, 2, 3, 4}))));
        }
    }

    @Test
    void refusesWhatBecomesTooLargeOfTheQueryAlone() {
        SearchRequest request =
                SearchTest.request(
                        new QueryNode.All(), "outer", List.of(), 10, new KeyRange.Everything());
        var ranking =
                new RankSettings(
                        "outer",
                        Map.of("left", labels("a"), "right", labels("b")),
                        Statistics.NONE,
                        Mails.NOW);
        try (var mails = new MailBlock(2).with("a", "size", new IntValue(1))) {

            SearchReply reply =
                    search.run(request.with(ranking), Mails.SCHEMA, List.of(mails.view()));

            assertThat(reply)
                    .isEqualTo(
                            new SearchReply.Rejected(
                                    "rank profile 'outer': a tensor would have 9000000 cells;"
                                            + " ranking computes with at most 4194304"));
        }
    }

    /** Returns a tensor of 3,000 labels. */
    private static TensorInput labels(String dimension) {
        return new TensorInput(
                MixedTensor.of(
                        TensorType.parse("tensor(" + dimension + "{})"),
                        IntStream.range(0, 3_000)
                                .boxed()
                                .collect(
                                        Collectors.toMap(
                                                label -> List.of(Integer.toString(label)),
                                                _ -> new double[] {1}))));
    }

    private static TensorValue vector(double... cells) {
        return new TensorValue(DenseTensor.of(Mails.VECTOR, cells));
    }

    private static QueryNode nearest(int targetHits, OptionalDouble threshold) {
        return new QueryNode.NearestNeighbor(
                "vector", "q", targetHits, threshold, TermSettings.DEFAULT);
    }

    private static QueryNode term(String field, String text) {
        return new QueryNode.Term(field, text, TermSettings.DEFAULT);
    }

    private List<SearchHit> hits(
            MailBlock mails, QueryNode tree, String profile, Statistics statistics) {
        SearchRequest request =
                SearchTest.request(tree, profile, List.of(), 10, new KeyRange.Everything());
        return hits(mails, SearchTest.with(statistics, request));
    }

    private List<SearchHit> hits(MailBlock mails, SearchRequest request) {
        var reply = (SearchReply.Found) search.run(request, Mails.SCHEMA, List.of(mails.view()));
        return reply.hits();
    }
}
