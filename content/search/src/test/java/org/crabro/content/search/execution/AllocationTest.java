package org.crabro.content.search.execution;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
import org.crabro.config.schema.RankProfile;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.NearestRows;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.search.rank.RankResources;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.search.rank.Scorer;
import org.crabro.content.search.rank.TextCounts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.BlockSlice;
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
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorWork;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the two passes of a query allocate memory per block, but none per document. {@link
 * ScanCost} describes the measurement.
 */
@Tag("own-jvm")
class AllocationTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int BLOCKS = 8;
    private static final int ROWS = 1_000;
    private static final int FEW_ROWS = 10;

    /** A block of few rows costs less, and so does one of many: two bytes for each. */
    private static final long BYTES_PER_BLOCK = 2_000;

    private final ScanCost cost =
            new ScanCost(
                    (long) BLOCKS * (ROWS - FEW_ROWS),
                    ScanCost.NOTHING,
                    BLOCKS * BYTES_PER_BLOCK,
                    SEED);

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

            // Scores use the counts, so the order of the assertions is that of a query.
            cost.assertHolds("counting", ofFew.counting(), ofMany.counting());
            cost.assertHolds("matching", ofFew.matching().get(), ofMany.matching().get());
        }
    }

    /** The two passes of a query over all blocks. The second is created after the first has run. */
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
                        fields,
                        new RankResources(
                                new RankProgramCache().of(Mails.SCHEMA),
                                ModelRuns.none(),
                                TensorWork.UNLIMITED));
        TextCounts counts = ranking.newCounts();
        TopK nearest = new TopK(RowOrder.smallestFirst(slices), 50);
        var counting =
                new BlockScan(
                        matcher,
                        fields,
                        slices,
                        List.of(),
                        new TextHitsCache(slices.size()),
                        BlockCaches.none());
        return new Scan(
                () -> count(counting, counts, matcher, nearest, slices.size()),
                () -> {
                    var selected = NearestRows.of(List.of(nearest), slices.size());
                    var scan =
                            new BlockScan(
                                    matcher,
                                    fields,
                                    slices,
                                    List.of(selected),
                                    new TextHitsCache(slices.size()),
                                    BlockCaches.none());
                    var scorer = new Scorer(ranking.scoring(counts), scan);
                    var best = new TopK(RowOrder.largestFirst(slices), 50);
                    return () -> match(scan, scorer, best, slices.size());
                });
    }

    private static void count(
            BlockScan scan, TextCounts counts, Matcher matcher, TopK nearest, int slices) {
        for (int slice = 0; slice < slices; slice++) {
            scan.open(slice);
            counts.add(scan);
            matcher.nearest().getFirst().search(scan, nearest);
        }
    }

    private static void match(BlockScan scan, Scorer scorer, TopK best, int slices) {
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

    /** A tree with words, whole values, numbers and neighbors. */
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
                                "vector", "q", 50, OptionalDouble.empty(), TermSettings.DEFAULT)));
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
