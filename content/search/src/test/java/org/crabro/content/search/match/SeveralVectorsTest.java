package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
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
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Documents with several vectors each: the nearest counts, against a plain loop. */
class SeveralVectorsTest {
    private static final TensorType VECTORS = TensorType.parse("tensor<float>(part{},x[3])");
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[3])");
    private static final Field FIELD = new Field("parts", new FieldType.TensorOf(VECTORS), true);
    private static final DocumentType TYPE = new DocumentType("item", List.of(FIELD));

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @ParameterizedTest
    @EnumSource(
            value = DistanceMetric.class,
            names = {"EUCLIDEAN", "ANGULAR", "DOTPRODUCT", "PRENORMALIZED_ANGULAR"})
    void theNearestVectorCounts(DistanceMetric metric) {
        double[] query = {0.5, -0.25, 1};
        var documents = new ArrayList<Map<List<String>, double[]>>();
        for (int i = 0; i < 40; i++) {
            documents.add(vectors());
        }
        try (var arena = Arena.ofConfined()) {
            List<BlockSlice> slices = slices(documents, arena);
            var fields = new QueryFields();
            Matcher matcher = matcher(metric, query, fields);
            BlockScan scan = scan(matcher, fields, slices);
            NearestSearch search = matcher.nearest().getFirst();
            int[] rows = IntStream.range(0, documents.size()).toArray();
            double[] internal = new double[rows.length];
            search.distances(scan, rows, rows.length, internal);
            var column = (Column.MixedTensors) scan.column(0).orElseThrow();

            for (int row : rows) {
                double least = Double.NaN;
                for (double[] vector : documents.get(row).values()) {
                    double distance = distance(metric, query, vector);
                    least = Double.isNaN(least) ? distance : Math.min(least, distance);
                }
                if (documents.get(row).isEmpty()) {
                    assertThat(internal[row]).as("row %d, seed %d", row, seed).isNaN();
                    assertThat(search.nearest(scan, column, row)).isNegative();
                } else {
                    assertThat(internal[row])
                            .as("row %d, seed %d", row, seed)
                            .isCloseTo(least, within(1e-5));
                    int nearest = search.nearest(scan, column, row);
                    double[] vector =
                            Objects.requireNonNull(
                                    documents.get(row).get(List.of(label(column, nearest))));
                    assertThat(distance(metric, query, vector)).isCloseTo(least, within(1e-5));
                }
            }

            var best = new TopK(RowOrder.smallestFirst(slices), 5);
            search.search(scan, best);
            assertThat(best.size()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DistanceMetric.class,
            names = {"EUCLIDEAN", "ANGULAR", "DOTPRODUCT", "PRENORMALIZED_ANGULAR"})
    void oneWithoutADistanceDoesNotCount(DistanceMetric metric) {
        double[] query = {1, 2, 3};
        double[] none = {Double.NaN, 0, 0};
        double[] near = {1, 2, 2};
        double[] far = {-1, 2, 2};
        var documents = new ArrayList<Map<List<String>, double[]>>();
        documents.add(Map.of(List.of("a"), none, List.of("b"), near, List.of("c"), far));
        documents.add(Map.of(List.of("a"), far, List.of("b"), near, List.of("c"), none));
        documents.add(Map.of(List.of("a"), none, List.of("b"), none));
        try (var arena = Arena.ofConfined()) {
            List<BlockSlice> slices = slices(documents, arena);
            var fields = new QueryFields();
            Matcher matcher = matcher(metric, query, fields);
            BlockScan scan = scan(matcher, fields, slices);
            NearestSearch search = matcher.nearest().getFirst();
            var column = (Column.MixedTensors) scan.column(0).orElseThrow();
            for (int row = 0; row < 3; row++) {
                double[] straight = new double[3];
                double[] picked = new double[1];
                search.distances(scan, new int[] {0, 1, 2}, 3, straight);
                search.distances(scan, new int[] {row}, 1, picked);

                assertThat(Double.compare(picked[0], straight[row])).isZero();
                if (documents.get(row).size() == 2) {
                    assertThat(picked[0]).isNaN();
                } else {
                    assertThat(picked[0]).isCloseTo(distance(metric, query, near), within(1e-5));
                    assertThat(label(column, search.nearest(scan, column, row))).isEqualTo("b");
                }
            }
        }
    }

    private static Matcher matcher(DistanceMetric metric, double[] query, QueryFields fields) {
        return Matcher.compile(
                new QueryNode.NearestNeighbor(
                        "parts", "q", 5, OptionalDouble.empty(), TermSettings.DEFAULT),
                schema(metric),
                Map.of("q", new QueryInput.TensorInput(DenseTensor.of(VECTOR, query))),
                fields);
    }

    private static BlockScan scan(Matcher matcher, QueryFields fields, List<BlockSlice> slices) {
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        slices,
                        List.of(),
                        new TextHitsCache(slices.size()),
                        BlockCaches.none());
        scan.open(0);
        return scan;
    }

    private static String label(Column.MixedTensors column, int vector) {
        var text = new TextReader();
        text.read(column.labels().getFirst(), vector);
        byte[] bytes =
                text.bytes().asSlice(text.offset(), text.length()).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Computes the distance by its definition, in doubles. */
    private static double distance(DistanceMetric metric, double[] query, double[] vector) {
        double dot = 0;
        double square = 0;
        double ofQuery = 0;
        double ofVector = 0;
        for (int i = 0; i < query.length; i++) {
            dot += query[i] * vector[i];
            square += (query[i] - vector[i]) * (query[i] - vector[i]);
            ofQuery += query[i] * query[i];
            ofVector += vector[i] * vector[i];
        }
        return switch (metric) {
            case EUCLIDEAN -> square;
            case ANGULAR -> 1 - dot / Math.sqrt(ofQuery * ofVector);
            case DOTPRODUCT -> -dot;
            case PRENORMALIZED_ANGULAR -> ofQuery - dot;
            case GEODEGREES, HAMMING -> throw new IllegalArgumentException(metric.name());
        };
    }

    private Map<List<String>, double[]> vectors() {
        var vectors = new HashMap<List<String>, double[]>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            vectors.put(
                    List.of("p" + random.nextInt(9)),
                    new double[] {
                        (float) random.nextGaussian(),
                        (float) random.nextGaussian(),
                        (float) random.nextGaussian()
                    });
        }
        return vectors;
    }

    private static List<BlockSlice> slices(
            List<Map<List<String>, double[]>> documents, Arena arena) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < documents.size(); i++) {
            DocumentId id = DocumentId.parse("id:a:item:g=g:%03d".formatted(i));
            Map<String, FieldValue> fields =
                    documents.get(i).isEmpty()
                            ? Map.of()
                            : Map.of(
                                    "parts",
                                    new FieldValue.MixedTensorValue(
                                            MixedTensor.of(VECTORS, documents.get(i))));
            rows.add(new Row(id, i + 1, TYPE.fingerprint(), false, fields));
        }
        // Documents are numbered as their rows are.
        var order = new ArrayList<>(rows);
        order.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        var sorted = new ArrayList<Map<List<String>, double[]>>();
        order.forEach(row -> sorted.add(documents.get(rows.indexOf(row))));
        documents.clear();
        documents.addAll(sorted);
        return List.of(
                new BlockSlice(
                        new BlockWriter(TYPE).write(order, arena), 0, order.size(), DeadRows.NONE));
    }

    private static Schema schema(DistanceMetric metric) {
        return new Schema(
                "item",
                TYPE,
                new LinkedHashMap<>(
                        Map.of(
                                "parts",
                                new SchemaField(
                                        FIELD,
                                        Set.of(Aspect.ATTRIBUTE),
                                        MatchMode.WORD,
                                        metric,
                                        new IndexingScript(List.of())))));
    }
}
