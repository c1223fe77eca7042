package org.crabro.content.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
import org.crabro.config.schema.RankProfile;
import org.crabro.content.match.BestRows;
import org.crabro.content.match.BlockScan;
import org.crabro.content.match.KeptTexts;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.QueryFields;
import org.crabro.content.match.RowOrder;
import org.crabro.content.match.SelectedRows;
import org.crabro.content.rank.Ranking;
import org.crabro.content.rank.Scorer;
import org.crabro.content.rank.TextCounts;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.KeyRange;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Counts what a thread allocates while it scans: something per block, nothing per document.
 *
 * <p>Loops that are not compiled yet make objects that compiled ones do not, and when they are
 * compiled is up to a machine that may be busy. So passes are repeated until one has allocated as
 * little as is asserted; objects that are really made per row are made by every pass. The build
 * runs this class in a virtual machine of its own, which waits for its compiler ({@code -Xbatch})
 * and knows no profiles of other tests.
 */
@Tag("own-jvm")
class AllocationTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int BLOCKS = 8;
    private static final int ROWS = 1_000;
    private static final int FEW_ROWS = 10;

    /** Passes that are not looked at: the first ones also load classes, and blocks are decoded. */
    private static final int WARM_UP = 40;

    /** What is still allocated after so many passes is taken for what compiled code allocates. */
    private static final int PASSES_MAX = 5_000;

    private static final double BYTES_PER_ROW = 0.1;

    /** A block of few rows costs less, and so does one of many: two bytes for each. */
    private static final long BYTES_PER_BLOCK = 2_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void allocatesNothingPerDocument() {
        allocatesNothingPerDocument(
                Objects.requireNonNull(Mails.SCHEMA.rankProfiles().get("hybrid")));
    }

    @Test
    void allocatesNothingForDotProductsOfDocuments() {
        allocatesNothingPerDocument(
                new RankProfile(
                        "dotted",
                        Map.of(),
                        ExpressionParser.parse(
                                "sum(query(q) * attribute(vector)) * bm25(body)"
                                        + " + sum(hamming(attribute(bits), attribute(bits)))"),
                        Map.of(),
                        Map.of()));
    }

    private void allocatesNothingPerDocument(RankProfile profile) {
        try (var few = mails(FEW_ROWS);
                var many = mails(ROWS)) {
            Scan ofFew = scan(few, profile);
            Scan ofMany = scan(many, profile);

            // Scores are computed from what was counted: the order is the one of a query.
            assertNothingPerRow("counting", ofFew.counting(), ofMany.counting());
            assertNothingPerRow("matching", ofFew.matching().get(), ofMany.matching().get());
        }
    }

    /** The two passes of a query over all blocks; the second can be made once the first has run. */
    private record Scan(Runnable counting, Supplier<Runnable> matching) {}

    private static Scan scan(MailBlock mails, RankProfile profile) {
        List<BlockSlice> slices = mails.view().slices("mail", new KeyRange.Everything());
        var fields = new QueryFields();
        Map<String, QueryInput> inputs =
                Map.of(
                        "q",
                        new QueryInput.TensorInput(
                                DenseTensor.of(Mails.VECTOR, new double[] {1, 2, 3, 4})));
        Matcher matcher = Matcher.compile(tree(), Mails.SCHEMA, inputs, fields);
        Ranking ranking =
                Ranking.compile(
                        profile,
                        Mails.SCHEMA,
                        new RankSettings("hybrid", inputs, Statistics.GROUP, Mails.NOW),
                        matcher,
                        fields);
        TextCounts counts = ranking.newCounts();
        BestRows nearest = new BestRows(RowOrder.smallestFirst(slices), 50);
        var counting =
                new BlockScan(matcher, fields, slices, List.of(), new KeptTexts(slices.size()));
        return new Scan(
                () -> count(counting, counts, matcher, nearest, slices.size()),
                () -> {
                    var selected = SelectedRows.of(List.of(nearest), slices.size());
                    var scan =
                            new BlockScan(
                                    matcher,
                                    fields,
                                    slices,
                                    List.of(selected),
                                    new KeptTexts(slices.size()));
                    var scorer = new Scorer(ranking.scoring(counts), scan);
                    var best = new BestRows(RowOrder.largestFirst(slices), 50);
                    return () -> match(scan, scorer, best, slices.size());
                });
    }

    /** Runs both passes in turn until the least that each allocated is as little as it must be. */
    private void assertNothingPerRow(String what, Runnable few, Runnable many) {
        for (int i = 0; i < WARM_UP; i++) {
            many.run();
            few.run();
        }
        var cost = new Cost(allocated(few), allocated(many));
        for (int i = 0; i < PASSES_MAX && !cost.isOfBlocksOnly(); i++) {
            cost =
                    new Cost(
                            Math.min(cost.few(), allocated(few)),
                            Math.min(cost.many(), allocated(many)));
        }

        assertThat(cost)
                .as("%s, seed %d", what, SEED)
                .matches(Cost::isOfBlocksOnly, "costs bytes per block only");
    }

    private long allocated(Runnable pass) {
        long before = threads.getCurrentThreadAllocatedBytes();
        pass.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Bytes that a pass over blocks of few rows, and of many, allocates. */
    private record Cost(long few, long many) {
        boolean isOfBlocksOnly() {
            double perRow = (double) (many - few) / (BLOCKS * (ROWS - FEW_ROWS));
            return perRow < BYTES_PER_ROW && many < BLOCKS * BYTES_PER_BLOCK;
        }
    }

    private static void count(
            BlockScan scan, TextCounts counts, Matcher matcher, BestRows nearest, int slices) {
        for (int slice = 0; slice < slices; slice++) {
            scan.open(slice);
            counts.add(scan);
            matcher.nearest().getFirst().search(scan, nearest);
        }
    }

    private static void match(BlockScan scan, Scorer scorer, BestRows best, int slices) {
        for (int slice = 0; slice < slices; slice++) {
            scan.open(slice);
            int count = scan.match();
            double[] scores = scan.borrowNumbers();
            scorer.score(scan.rows(), count, scores);
            for (int i = 0; i < count; i++) {
                best.offer(slice, scan.rows()[i], scores[i]);
            }
            scan.giveBack(scores);
        }
    }

    /** Words, whole values, numbers and neighbors, one way or the other. */
    private static QueryNode tree() {
        return new QueryNode.Or(
                List.of(
                        new QueryNode.And(
                                List.of(
                                        term("body", "blue"),
                                        term("lang", "red"),
                                        new QueryNode.Range(
                                                "size",
                                                new RangeEnd.Whole(0, true),
                                                new RangeEnd.Unbounded(),
                                                TermSettings.DEFAULT))),
                        term("default", "blue house"),
                        new QueryNode.Without(
                                term("body", "green"), List.of(term("body", "crème"))),
                        new QueryNode.NearestNeighbor(
                                "vector", "q", 50, OptionalDouble.empty(), "")));
    }

    private static QueryNode term(String field, String text) {
        return new QueryNode.Term(field, text, TermSettings.DEFAULT);
    }

    private static MailBlock mails(int rowsPerBlock) {
        var random = new Random(SEED);
        var mails = new MailBlock(rowsPerBlock);
        for (int i = 0; i < rowsPerBlock * BLOCKS; i++) {
            var fields = new LinkedHashMap<String, FieldValue>();
            fields.put("body", new StringValue(text(random)));
            fields.put("title", new StringValue(text(random)));
            fields.put("lang", new StringValue(word(random)));
            fields.put("size", new IntValue(random.nextInt(-5, 5)));
            fields.put("sent", new LongValue(Mails.NOW - i));
            double[] cells = {random.nextInt(9), random.nextInt(9), 0, 1};
            fields.put("vector", new TensorValue(DenseTensor.of(Mails.VECTOR, cells)));
            mails.with("d" + i, fields);
        }
        return mails;
    }

    private static String text(Random random) {
        return word(random) + " " + word(random) + ", " + word(random);
    }

    private static String word(Random random) {
        return Archive.WORDS.get(random.nextInt(Archive.WORDS.size()));
    }
}
