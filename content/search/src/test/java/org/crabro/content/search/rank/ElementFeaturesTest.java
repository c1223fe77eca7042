package org.crabro.content.search.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests features of elements of one document against expected values in the test. */
class ElementFeaturesTest {
    private static final List<Field> FIELDS =
            List.of(
                    new Field("tags", new FieldType.WeightedSetOf(Primitive.STRING), true),
                    new Field("years", new FieldType.WeightedSetOf(Primitive.INT), true),
                    new Field("sizes", new FieldType.ArrayOf(Primitive.INT), true),
                    new Field("names", new FieldType.ArrayOf(Primitive.STRING), true),
                    new Field("empty", new FieldType.ArrayOf(Primitive.INT), true),
                    new Field("one", Primitive.INT, true),
                    new Field("ids", new FieldType.WeightedSetOf(Primitive.LONG), true),
                    new Field("id", Primitive.LONG, true));
    private static final DocumentType TYPE = new DocumentType("item", FIELDS);

    private static final Map<String, FieldValue> DOCUMENT =
            Map.of(
                    "tags",
                    new FieldValue.WeightedSetValue(
                            Map.of(new StringValue("red"), 3, new StringValue("blue"), -2)),
                    "years",
                    new FieldValue.WeightedSetValue(
                            Map.of(new IntValue(1999), 7, new IntValue(2001), 1)),
                    "sizes",
                    new ArrayValue(List.of(new IntValue(4), new IntValue(5), new IntValue(6))),
                    "names",
                    new ArrayValue(List.of(new StringValue("a"), new StringValue("b"))),
                    "one",
                    new IntValue(8),
                    // Neither is a double.
                    "ids",
                    new FieldValue.WeightedSetValue(
                            Map.of(
                                    new LongValue(9_007_199_254_740_993L),
                                    3,
                                    new LongValue(1_234_567_890_123_456_789L),
                                    4)),
                    "id",
                    new LongValue(1_000_000_000_000_000L));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "attribute(sizes, 1) | 5",
                "attribute(sizes, 3) | 0",
                "attribute(sizes).count | 3",
                "attribute(sizes, 2).contains | 1",
                "attribute(sizes, 9).contains | 0",
                "attribute(empty).count | 0",
                "attribute(one).count | 1",
                "attribute(tags, red).weight | 3",
                "attribute(tags, \"blue\").weight | -2",
                "attribute(tags, green).weight | 0",
                "attribute(tags, red).contains | 1",
                "attribute(tags, green).contains | 0",
                "attribute(tags).count | 2",
                "attribute(years, 1999) | 1999",
                "attribute(years, 1999).weight | 7",
                "attribute(years, 1998) | 0",
                "dotProduct(tags, taste) | 11",
                "dotProduct(years, taste) | 0",
                "dotProduct(years, dates) | 3.5",
                "dotProduct(sizes, list) | 17",
                "dotProduct(sizes, some) | 60",
                "dotProduct(tags, unsaid) | 0",
                "dotProduct(empty, list) | 0",
                "dotProduct(ids, users) | 43",
                "attribute(ids, \"1234567890123456789\").weight | 4",
                "attribute(ids, \"1234567890123456788\").weight | 0",
                "attribute(ids, \"9007199254740993\").contains | 1",
                "attribute(ids, \"9007199254740992\").contains | 0",
                "value(2.5) | 2.5",
            })
    void areNumbers(String text, double value) {
        double[] values = new double[1];

        read(text, (source, scan) -> source.read(scan, new int[] {0}, 1, values));

        assertThat(values[0]).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tensorFromLabels(attribute(names)) | tensor(names{}):{a:1.0, b:1.0}",
                "tensorFromLabels(attribute(sizes), x) | tensor(x{}):{4:1.0, 5:1.0, 6:1.0}",
                "tensorFromLabels(attribute(one), x) | tensor(x{}):{8:1.0}",
                "tensorFromLabels(attribute(empty), x) | tensor(x{}):{}",
                "tensorFromWeightedSet(attribute(years), y) | tensor(y{}):{1999:7.0, 2001:1.0}",
                "tensorFromWeightedSet(attribute(ids)) | tensor(ids{}):{1234567890123456789:4.0,"
                        + " 9007199254740993:3.0}",
                "tensorFromLabels(attribute(id)) | tensor(id{}):{1000000000000000:1.0}",
                "tensorFromWeightedSet(attribute(tags)) | tensor(tags{}):{blue:-2.0, red:3.0}",
            })
    void areTensors(String text, String value) {
        TensorData[] values = new TensorData[1];

        read(text, (source, scan) -> values[0] = source.tensor(scan, 0));

        assertThat(values[0]).hasToString(value);
    }

    @Test
    void chanceIsTheSameForTheSameSeedAndBelowOne() {
        var seen = new LinkedHashMap<String, Double>();
        for (String text :
                List.of("random", "random", "random(a)", "random.match", "random(b).match")) {
            double[] values = new double[1];
            read(text, (source, scan) -> source.read(scan, new int[] {0}, 1, values));
            assertThat(values[0]).isBetween(0.0, Math.nextDown(1.0));
            Double before = seen.put(text, values[0]);
            assertThat(before == null || before == values[0]).isTrue();
        }
        assertThat(Set.copyOf(seen.values())).hasSize(4);
    }

    @Test
    void rejectsWeightsThatAreNone() {
        for (String text : List.of("{a}", "{a:b}", "[1 x]", "a:1,b", "{a:1,}")) {
            assertThatExceptionOfType(QueryRejectedException.class)
                    .as(text)
                    .isThrownBy(() -> ElementFeatures.weights("dotProduct.v", text));
        }
    }

    private interface Use {
        void of(FeatureSource source, BlockScan scan);
    }

    private static void read(String text, Use use) {
        var schemaFields = new LinkedHashMap<String, SchemaField>();
        for (Field field : FIELDS) {
            schemaFields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(Aspect.ATTRIBUTE),
                            MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        var schema = new Schema("item", TYPE, schemaFields);
        var profile =
                new RankProfile(
                        "p",
                        Map.of(),
                        new Constant(0),
                        Map.of(),
                        Map.of(
                                "dotProduct.taste", "{red:5, blue:2, green:9}",
                                "dotProduct.dates", "{1999:0.5}",
                                "dotProduct.users", "{1234567890123456789:10, 9007199254740993:1}",
                                "dotProduct.list", "[3 1]",
                                "dotProduct.some", "{2:10}"));
        var fields = new QueryFields();
        var matcher = Matcher.compile(new QueryNode.All(), schema, Map.of(), fields);
        var settings =
                new RankSettings("p", Map.of(), RankSettings.Statistics.NONE, 1_700_000_000L);
        var sources = new FeatureSources(schema, profile, settings, matcher, fields);
        var feature = RankFeature.of((Feature) ExpressionParser.parse(text));
        FeatureSource source = sources.source(feature, Map.of(), sources.terms(Map.of()));
        var row =
                new Row(DocumentId.parse("id:a:item::one"), 1, TYPE.fingerprint(), false, DOCUMENT);
        try (var arena = Arena.ofConfined()) {
            var block = new BlockWriter(TYPE).write(List.of(row), arena);
            List<BlockSlice> slices = List.of(new BlockSlice(block, 0, 1, DeadRows.NONE));
            var scan =
                    new BlockScan(
                            matcher,
                            fields,
                            slices,
                            List.of(),
                            new TextHitsCache(1),
                            BlockCaches.none());
            scan.open(0);
            use.of(source, scan);
        }
        assertThat(sources.type(feature)).isInstanceOf(TensorType.class);
    }
}
