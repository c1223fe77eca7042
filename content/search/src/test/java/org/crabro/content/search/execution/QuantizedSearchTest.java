package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.match.cache.PostingsCache;
import org.crabro.content.search.match.cache.VectorCache;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.MixedTensorValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankSettings.Statistics;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches vectors while quantized vectors are cached. */
class QuantizedSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int CELLS = 256;
    private static final int ROWS = 3_400;
    private static final int ROWS_PER_BLOCK = 120;
    private static final int HITS = 5;
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[256])");
    private static final TensorType VECTORS = TensorType.parse("tensor<float>(part{},x[256])");

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @CsvSource({
        "EUCLIDEAN, false",
        "ANGULAR, false",
        "DOTPRODUCT, false",
        "EUCLIDEAN, true",
        "ANGULAR, true",
        "DOTPRODUCT, true",
    })
    void findTheSameBeforeAndAfterwards(DistanceMetric metric, boolean haveSeveral) {
        float[][][] vectors = new float[ROWS][][];
        DocumentType type = type(haveSeveral ? VECTORS : VECTOR);
        try (var mails = new MailBlock(ROWS_PER_BLOCK, SearchedTexts.NONE, type);
                var cache = new VectorCache(64 << 20, 2, 0);
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int row = 0; row < ROWS; row++) {
                vectors[row] = vectors(haveSeveral ? random.nextInt(4) : 1);
                var size = new IntValue(row);
                FieldValue tensor = value(haveSeveral, vectors[row]);
                if (vectors[row].length == 0) {
                    mails.with("" + row, "size", size);
                } else {
                    mails.with("" + row, "size", size, "vector", tensor);
                }
            }
            var search =
                    new Search(
                            new ScanThreads(pool, 2, 2),
                            new ReadAhead(Runnable::run, 1),
                            new BlockCaches(PostingsCache.none(), cache),
                            GroupMemory.bytesByDefault(),
                            ScanLimits.DEFAULT);
            var view = mails.view();
            long bytesBefore = cache.byteSize();
            for (int round = 0; round < 16; round++) {
                float[][] fed = vectors[random.nextInt(ROWS)];
                float[] query = round % 3 == 0 && fed.length > 0 ? fed[0] : vector();
                int least = round % 2 == 0 ? 0 : random.nextInt(ROWS / 3);
                SearchReply reply =
                        search.run(request(query, least), schema(type, metric), List.of(view));

                List<String> expected =
                        IntStream.range(least, ROWS)
                                .filter(row -> vectors[row].length > 0)
                                .boxed()
                                .sorted(
                                        Comparator.comparingDouble(
                                                row -> distance(metric, query, vectors[row])))
                                .limit(HITS)
                                .map(row -> "" + row)
                                .toList();
                assertThat(reply).isInstanceOf(SearchReply.Found.class);
                var result = (SearchReply.Found) reply;
                assertThat(result.hits().stream().map(hit -> hit.id().user()))
                        .as("%s, round %d, seed %d", metric, round, SEED)
                        .containsExactlyElementsOf(expected);
            }

            assertThat(bytesBefore).isZero();
            // All blocks except the first ones of each thread, which may differ each time.
            assertThat(cache.byteSize()).isGreaterThan((long) ROWS * CELLS / 2);
        }
    }

    private static DocumentType type(TensorType vector) {
        return new DocumentType(
                "mail",
                List.of(
                        new Field("size", FieldType.Primitive.INT, true),
                        new Field("vector", new FieldType.TensorOf(vector), true)));
    }

    private static FieldValue value(boolean isOneOfSeveral, float[][] vectors) {
        if (!isOneOfSeveral) {
            return new TensorValue(DenseTensor.of(VECTOR, doubles(vectors[0])));
        }
        var parts = new HashMap<List<String>, double[]>();
        for (int i = 0; i < vectors.length; i++) {
            parts.put(List.of("p" + i), doubles(vectors[i]));
        }
        return new MixedTensorValue(MixedTensor.of(VECTORS, parts));
    }

    private float[][] vectors(int count) {
        var vectors = new float[count][];
        for (int i = 0; i < count; i++) {
            vectors[i] = vector();
        }
        return vectors;
    }

    private float[] vector() {
        var vector = new float[CELLS];
        for (int i = 0; i < CELLS; i++) {
            vector[i] = (float) random.nextGaussian();
        }
        return vector;
    }

    private static double[] doubles(float[] floats) {
        return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
    }

    private static double distance(DistanceMetric metric, float[] query, float[][] stored) {
        return Arrays.stream(stored)
                .mapToDouble(vector -> distance(metric, query, vector))
                .min()
                .orElseThrow();
    }

    private static double distance(DistanceMetric metric, float[] query, float[] stored) {
        double dot = 0;
        double squares = 0;
        double differences = 0;
        for (int i = 0; i < CELLS; i++) {
            double difference = (double) query[i] - stored[i];
            dot += (double) query[i] * stored[i];
            squares += (double) stored[i] * stored[i];
            differences += difference * difference;
        }
        return switch (metric) {
            case EUCLIDEAN -> differences;
            case ANGULAR -> -dot / Math.sqrt(squares);
            case DOTPRODUCT -> -dot;
            case PRENORMALIZED_ANGULAR, GEODEGREES, HAMMING ->
                    throw new IllegalArgumentException(metric.toString());
        };
    }

    /**
     * @param least the least size that is meant
     */
    private static SearchRequest request(float[] query, int least) {
        var nearest =
                new QueryNode.NearestNeighbor(
                        "vector", "q", HITS, OptionalDouble.empty(), TermSettings.DEFAULT);
        var sizes =
                new QueryNode.Range(
                        "size",
                        new RangeEnd.Whole(least, true),
                        new RangeEnd.Unbounded(),
                        TermSettings.DEFAULT);
        DenseTensor vector = DenseTensor.of(VECTOR, doubles(query));
        return new SearchRequest(
                new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                new SearchScope(List.of(0), "mail", new Scope.Everything(), List.of()),
                new RankedQuery(
                        new QueryNode.And(List.of(sizes, nearest)),
                        new RankSettings(
                                "near",
                                Map.of("q", new QueryInput.TensorInput(vector)),
                                Statistics.GROUP,
                                0)),
                new HitSettings(HITS, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(false, 0));
    }

    private static Schema schema(DocumentType type, DistanceMetric metric) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : type.fields()) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(Aspect.ATTRIBUTE),
                            MatchMode.WORD,
                            metric,
                            new IndexingScript(List.of())));
        }
        var profile =
                new RankProfile(
                        "near",
                        Map.of("q", Input.of(VECTOR, Optional.empty())),
                        ExpressionParser.parse("closeness(field, vector)"),
                        Map.of(),
                        Map.of());
        return new Schema(
                "mail",
                type,
                fields,
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of("near", profile),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }
}
