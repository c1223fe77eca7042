package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.PlanRead;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans of searches over mails with sizes from 0 to 999, in blocks of 100. */
class NodePlansTest {
    private static final int ROWS = 1_000;
    private static final int ROWS_PER_BLOCK = 100;
    private static final QueryNode BLUE = new QueryNode.Term("title", "blue", TermSettings.DEFAULT);

    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void countsCandidatesAndMatchesOfEachCondition() {
        try (MailBlock mails = mails()) {
            NodePlan plan = plan(mails, new QueryNode.And(List.of(BLUE, sizeBelow(250))), "words");

            assertThat(lines(plan.condition()))
                    .containsExactly(
                            "and: 125 of 300, 7 blocks skipped",
                            "  number size below 250: 250 of 300, 7 blocks skipped",
                            "  text title:blue: 125 of 250, 0 blocks skipped");
            assertThat(plan.scope().documents()).isEqualTo(ROWS);
            assertThat(plan.scope().matches()).isEqualTo(125);
        }
    }

    @Test
    void countsWhatWasReadByPlace() {
        try (MailBlock mails = mails()) {
            NodePlan plan = plan(mails, sizeBelow(250), "default");

            assertThat(plan.reads()).hasSize(1);
            PlanRead read = plan.reads().getFirst();
            assertThat(read)
                    .isEqualTo(
                            new PlanRead(PlanRead.Place.RECENT, 0, 3, 7, 300, plan.cost().bytes()));
            assertThat(read.bytes()).isPositive();
        }
    }

    @Test
    void showsTheConditionsAmongWhichNeighborsWereSelected() {
        try (MailBlock mails = mails()) {
            NodePlan plan =
                    plan(
                            mails,
                            new QueryNode.And(
                                    List.of(
                                            new QueryNode.NearestNeighbor(
                                                    "vector",
                                                    "q",
                                                    10,
                                                    OptionalDouble.empty(),
                                                    TermSettings.DEFAULT),
                                            sizeBelow(250))),
                            "near");

            assertThat(lines(plan.condition()))
                    .contains(
                            "  nearest vector: the nearest 10: 10 of 10, 9 blocks skipped",
                            "    number size below 250: 250 of 300, 7 blocks skipped");
            assertThat(phases(plan)).containsSubsequence("plan", "neighbors", "match", "summaries");
        }
    }

    /** Profiles of these mails return features that need statistics; a count returns none. */
    @Test
    void namesThePhasesThatRan() {
        try (MailBlock mails = mails()) {
            assertThat(phases(plan(mails, BLUE, "words")))
                    .containsExactly("plan", "statistics", "match", "summaries");
            SearchRequest reranked =
                    request(BLUE, "again")
                            .with(
                                    new RankLimits(
                                            OptionalDouble.empty(),
                                            OptionalInt.of(5),
                                            OptionalDouble.empty()));
            assertThat(phases(explained(mails, reranked).report().plans().getFirst()))
                    .containsExactly("plan", "statistics", "match", "second-phase", "summaries");
            SearchRequest counts =
                    SearchTest.request(BLUE, "words", List.of(), 0, new KeyRange.Everything());
            assertThat(phases(explained(mails, counts).report().plans().getFirst()))
                    .containsExactly("plan", "match", "summaries");
        }
    }

    @Test
    void returnsTheFeaturesThatTheProfileReadsWithTheirValues() {
        try (MailBlock mails = mails()) {
            for (SearchHit hit : explained(mails, BLUE, "words").hits()) {
                assertThat(hit.features().used())
                        .containsKeys("bm25(title)", "bm25(body)", "bm25(tags)")
                        .containsEntry("bm25(title)", new QueryInput.NumberInput(hit.relevance()))
                        .containsEntry("bm25(body)", new QueryInput.NumberInput(0))
                        .doesNotContainKey("attribute(size)");
            }
        }
    }

    /** Random queries have the same hits and counts with a plan as without one. */
    @Test
    void explainingChangesNoResult() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        try (MailBlock mails = mails()) {
            for (int round = 0; round < 50; round++) {
                QueryNode tree = tree(random, 3);
                for (String profile : List.of("words", "near", "default")) {
                    SearchRequest request = request(tree, profile);
                    var plain =
                            (SearchReply.Found)
                                    search.run(request, Mails.SCHEMA, List.of(mails.view()));
                    SearchReply.Found explained = explained(mails, tree, profile);

                    assertThat(explained.totalCount())
                            .as("seed %d, %s", seed, tree)
                            .isEqualTo(plain.totalCount());
                    assertThat(ids(explained)).as("seed %d, %s", seed, tree).isEqualTo(ids(plain));
                    assertThat(plain.report().plans()).isEmpty();
                    NodePlan plan = explained.report().plans().getFirst();
                    assertThat(plan.condition().counts().matches())
                            .as("seed %d, %s", seed, tree)
                            .isEqualTo(plain.totalCount());
                    assertThat(plan.reads().stream().mapToLong(PlanRead::blocks).sum())
                            .isEqualTo(plain.report().cost().blocks());
                    assertThat(plan.reads().stream().mapToLong(PlanRead::skippedBlocks).sum())
                            .isEqualTo(plain.report().cost().skippedBlocks());
                }
            }
        }
    }

    private static QueryNode tree(Random random, int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return switch (random.nextInt(3)) {
                case 0 -> BLUE;
                case 1 -> sizeBelow(random.nextInt(ROWS));
                default ->
                        new QueryNode.NearestNeighbor(
                                "vector",
                                "q",
                                1 + random.nextInt(20),
                                OptionalDouble.empty(),
                                TermSettings.DEFAULT);
            };
        }
        var parts = new ArrayList<QueryNode>();
        for (int i = 0; i < 2; i++) {
            parts.add(tree(random, depth - 1));
        }
        return switch (random.nextInt(3)) {
            case 0 -> new QueryNode.And(parts);
            case 1 -> new QueryNode.Or(parts);
            default -> new QueryNode.Without(parts.get(0), List.of(parts.get(1)));
        };
    }

    private static QueryNode sizeBelow(int end) {
        return new QueryNode.Range(
                "size",
                new RangeEnd.Unbounded(),
                new RangeEnd.Whole(end, false),
                TermSettings.DEFAULT);
    }

    /** Every second mail is blue. Sizes rise in the order of blocks. */
    private static MailBlock mails() {
        var mails = new MailBlock(ROWS_PER_BLOCK);
        List<String> users =
                IntStream.range(0, ROWS)
                        .mapToObj(i -> "d" + i)
                        .sorted(Comparator.comparing(NodePlansTest::key))
                        .toList();
        for (int i = 0; i < ROWS; i++) {
            mails.with(
                    users.get(i),
                    "size",
                    new IntValue(i),
                    "title",
                    new StringValue(i % 2 == 0 ? "blue house" : "red house"),
                    "vector",
                    new TensorValue(DenseTensor.of(Mails.VECTOR, new double[] {i, 1, 2, 3})));
        }
        return mails;
    }

    private static RowKey key(String user) {
        return RowKey.of(new DocumentId("t", "mail", new LocationKey.Plain(), user));
    }

    private NodePlan plan(MailBlock mails, QueryNode tree, String profile) {
        return explained(mails, tree, profile).report().plans().getFirst();
    }

    private SearchReply.Found explained(MailBlock mails, QueryNode tree, String profile) {
        return explained(mails, request(tree, profile));
    }

    private SearchReply.Found explained(MailBlock mails, SearchRequest request) {
        return (SearchReply.Found)
                search.run(
                        request.with(new ReplySettings(true, 0, true)),
                        Mails.SCHEMA,
                        List.of(mails.view()));
    }

    private static SearchRequest request(QueryNode tree, String profile) {
        return SearchTest.request(tree, profile, List.of(), 10, new KeyRange.Everything());
    }

    private static List<String> ids(SearchReply.Found result) {
        return result.hits().stream().map(hit -> hit.id() + " " + hit.relevance()).toList();
    }

    private static List<String> phases(NodePlan plan) {
        return plan.phases().stream().map(PlanPhase::name).toList();
    }

    private static List<String> lines(PlanCondition condition) {
        var lines = new ArrayList<String>();
        lines.add(
                "%s: %d of %d, %d blocks skipped"
                        .formatted(
                                (condition.operator() + " " + condition.text()).strip(),
                                condition.counts().matches(),
                                condition.counts().candidates(),
                                condition.counts().skippedBlocks()));
        for (PlanCondition part : condition.parts()) {
            lines(part).forEach(line -> lines.add("  " + line));
        }
        return Collections.unmodifiableList(lines);
    }
}
