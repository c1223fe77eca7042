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
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.Test;

/** Counts what a thread allocates while it scans: something per block, nothing per document. */
class AllocationTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int BLOCKS = 8;
    private static final int ROWS = 1_000;

    /** Passes before it counts what one allocates: only compiled loops make no objects. */
    private static final int WARM_UP = 40;

    /** How long to wait for a compiler that is busy with what other tests ran. */
    private static final int PASSES_MAX = 5_000;

    /** More than all blocks of a pass cost, and less than one object per row. */
    private static final long COMPILED_BYTES = BLOCKS * ROWS * 8L;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void allocatesNothingPerDocument() {
        try (var small = mails(10);
                var large = mails(ROWS)) {
            long ofLarge = allocated(large);
            long ofSmall = allocated(small);

            double perRow = (double) (ofLarge - ofSmall) / (BLOCKS * (ROWS - 10));
            assertThat(perRow).as("bytes per row, seed %d", SEED).isLessThan(0.1);
            assertThat((double) ofLarge / (BLOCKS * ROWS)).isLessThan(10);
        }
    }

    private long allocated(MailBlock mails) {
        List<BlockSlice> slices = mails.view().slices("mail", new KeyRange.Everything());
        var fields = new QueryFields();
        Map<String, QueryInput> inputs =
                Map.of(
                        "q",
                        new QueryInput.TensorInput(
                                DenseTensor.of(Mails.VECTOR, new double[] {1, 2, 3, 4})));
        Matcher matcher = Matcher.compile(tree(), Mails.SCHEMA, inputs, fields);
        RankProfile profile = Objects.requireNonNull(Mails.SCHEMA.rankProfiles().get("hybrid"));
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
        long first = least(() -> count(counting, counts, matcher, nearest, slices.size()));

        var selected = SelectedRows.of(List.of(nearest), slices.size());
        var scan =
                new BlockScan(
                        matcher, fields, slices, List.of(selected), new KeptTexts(slices.size()));
        var scorer = new Scorer(ranking.scoring(counts), scan);
        var best = new BestRows(RowOrder.largestFirst(slices), 50);
        return first + least(() -> match(scan, scorer, best, slices.size()));
    }

    /** Returns what a pass allocates once it is compiled. */
    private long least(Runnable pass) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < WARM_UP || (least > COMPILED_BYTES && i < PASSES_MAX); i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            pass.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
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
