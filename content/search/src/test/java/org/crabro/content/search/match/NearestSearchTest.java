package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.match.cache.PostingsCache;
import org.crabro.content.search.match.cache.VectorCache;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Against plain loops over the documents, in double. */
class NearestSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int CELLS = 64;
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[64])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "item", List.of(new Field("vector", new FieldType.TensorOf(VECTOR), true)));

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofConfined();
    private long quantizedBytes;
    private int spread;

    /** A document that is to be found, and how far it is away. */
    private record Near(String id, double distance) {}

    @AfterEach
    void close() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = DistanceMetric.class,
            names = {"EUCLIDEAN", "ANGULAR", "DOTPRODUCT"})
    void selectsTheNearestOfAllSlices(DistanceMetric metric) {
        for (int history = 0; history < 40; history++) {
            boolean quantizes = history % 2 == 1;
            // Bounds of nearly equal vectors are of little use. Their angles differ less than the
            // precision of the stored lengths.
            spread = history % 4 < 2 || metric == DistanceMetric.ANGULAR ? 200 : 2;
            double[] query = cells();
            var slices = new ArrayList<BlockSlice>();
            var expected = new ArrayList<Near>();
            for (int block = 0; block < 6; block++) {
                add(block, metric, query, slices, expected);
            }
            expected.sort(Comparator.comparingDouble(Near::distance).thenComparing(Near::id));
            int targetHits = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
            double limit =
                    random.nextBoolean()
                            ? Double.POSITIVE_INFINITY
                            : expected.get(expected.size() / 3).distance() + 1e-4;

            List<String> ids;
            try (var cache = new VectorCache(quantizes ? 1 << 20 : 0, 0, 0)) {
                ids = search(metric, query, slices, targetHits, limit, cache);
                quantizedBytes += cache.byteSize();
            }

            assertThat(ids)
                    .as("history %d, seed %d", history, SEED)
                    .containsExactlyElementsOf(
                            expected.stream()
                                    .filter(near -> near.distance() <= limit)
                                    .limit(targetHits)
                                    .map(Near::id)
                                    .toList());
        }
        assertThat(quantizedBytes).isGreaterThan(10L * 64 * CELLS);
    }

    @ParameterizedTest
    @CsvSource({"79, false", "80, true"})
    void quantizesABlockOfWhichHalfIsInScope(int rows, boolean expected) {
        spread = 200;
        BlockWriter writer = new BlockWriter(TYPE);
        EncodedBlock block = writer.write(rows(1, 160, false), arena);
        var part = new BlockSlice(block, 0, rows, DeadRows.NONE);
        try (var cache = new VectorCache(1 << 20, 0, 0)) {
            search(
                    DistanceMetric.EUCLIDEAN,
                    cells(),
                    List.of(part),
                    1,
                    Double.POSITIVE_INFINITY,
                    cache);

            assertThat(cache.byteSize() > 0).isEqualTo(expected);
        }
    }

    private List<String> search(
            DistanceMetric metric,
            double[] query,
            List<BlockSlice> slices,
            int targetHits,
            double limit,
            VectorCache cache) {
        var fields = new QueryFields();
        var tree =
                new QueryNode.NearestNeighbor(
                        "vector",
                        "q",
                        targetHits,
                        Double.isInfinite(limit)
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(limit),
                        TermSettings.DEFAULT);
        Matcher matcher =
                Matcher.compile(
                        tree,
                        schema(metric),
                        Map.of("q", new QueryInput.TensorInput(DenseTensor.of(VECTOR, query))),
                        fields);
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        slices,
                        List.of(),
                        new TextHitsCache(slices.size()),
                        new BlockCaches(PostingsCache.none(), cache));
        RowOrder order = RowOrder.smallestFirst(slices);
        var best = new TopK(order, targetHits);
        for (int slice = 0; slice < slices.size(); slice++) {
            scan.open(slice);
            matcher.nearest().getFirst().search(scan, best);
        }
        TopK sorted = TopK.merge(List.of(best), order, targetHits);
        return IntStream.range(0, sorted.size())
                .mapToObj(i -> slices.get(sorted.slice(i)).block().id(sorted.row(i)).toString())
                .toList();
    }

    private static Schema schema(DistanceMetric metric) {
        Field field = TYPE.fields().getFirst();
        return new Schema(
                "item",
                TYPE,
                new LinkedHashMap<>(
                        Map.of(
                                "vector",
                                new SchemaField(
                                        field,
                                        Set.of(Aspect.ATTRIBUTE),
                                        MatchMode.WORD,
                                        metric,
                                        new IndexingScript(List.of())))));
    }

    /** Blocks of memory and of files; some whole, some not, some with dead rows and gaps. */
    private void add(
            int number,
            DistanceMetric metric,
            double[] query,
            List<BlockSlice> slices,
            List<Near> expected) {
        int count = 1 + random.nextInt(160);
        List<Row> rows = rows(number, count, random.nextBoolean());
        BlockWriter writer =
                random.nextBoolean()
                        ? new BlockWriter(TYPE)
                        : new BlockWriter(TYPE, SearchedTexts.NONE);
        EncodedBlock block = writer.write(rows, arena);
        int from = random.nextBoolean() ? 0 : random.nextInt(count);
        int to = random.nextBoolean() ? count : from + 1 + random.nextInt(count - from);
        int deadOneIn = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(3);
        int[] dead =
                IntStream.range(from, to).filter(_ -> random.nextInt(deadOneIn) == 0).toArray();
        var slice = new BlockSlice(block, from, to, DeadRows.of(dead));
        slices.add(slice);
        for (int row = from; row < to; row++) {
            if (!slice.dead().has(row)
                    && rows.get(row).fields().get("vector")
                            instanceof FieldValue.TensorValue(DenseTensor stored)) {
                expected.add(
                        new Near(rows.get(row).id().toString(), distance(metric, query, stored)));
            }
        }
    }

    /** Returns the rows of a block, in order; with gaps, some rows have no vector. */
    private List<Row> rows(int number, int count, boolean hasGaps) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            Map<String, FieldValue> fields =
                    hasGaps && random.nextInt(4) == 0
                            ? Map.of()
                            : Map.of("vector", new FieldValue.TensorValue(vector()));
            DocumentId id = DocumentId.parse("id:a:item:g=g:%d-%d".formatted(number, i));
            rows.add(new Row(id, 1, TYPE.fingerprint(), false, fields));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return rows;
    }

    private DenseTensor vector() {
        return DenseTensor.of(VECTOR, cells());
    }

    /** Few bits each, so that sums of products are exact; rarely all zeros. */
    private double[] cells() {
        return random.nextInt(50) == 0
                ? new double[CELLS]
                : random.ints(CELLS, 100 - spread, 100).asDoubleStream().toArray();
    }

    private static double distance(DistanceMetric metric, double[] query, DenseTensor stored) {
        double dot = 0;
        double squares = 0;
        double querySquares = 0;
        double differences = 0;
        for (int i = 0; i < CELLS; i++) {
            dot += query[i] * stored.cell(i);
            squares += stored.cell(i) * stored.cell(i);
            querySquares += query[i] * query[i];
            differences += (query[i] - stored.cell(i)) * (query[i] - stored.cell(i));
        }
        return switch (metric) {
            case EUCLIDEAN -> Math.sqrt(differences);
            case DOTPRODUCT -> -dot;
            case ANGULAR ->
                    squares * querySquares == 0
                            ? Math.PI / 2
                            : Math.acos(dot / Math.sqrt(squares * querySquares));
            case PRENORMALIZED_ANGULAR, GEODEGREES, HAMMING ->
                    throw new IllegalArgumentException(metric.toString());
        };
    }
}
