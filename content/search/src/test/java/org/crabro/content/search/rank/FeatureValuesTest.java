package org.crabro.content.search.rank;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.data.Offset;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.FieldRanking.RankType;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.execution.MailBlock;
import org.crabro.content.search.execution.Search;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.StructValue;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.AnyOf;
import org.crabro.protocol.query.QueryNode.WeightedKey;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.crabro.text.Folding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares features of three documents with the results of {@code feature-values.py}, which
 * computes them by definition from the same documents, query and rank properties.
 */
class FeatureValuesTest {
    private static final long NOW = 1_700_000_000L;
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[3])");
    private static final TensorType PARTS = TensorType.parse("tensor<float>(part{},x[3])");
    private static final StructOf ITEM =
            new StructOf(
                    "item",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("kind", Primitive.INT, true),
                            new Field("price", Primitive.DOUBLE, true)));

    private static final Map<String, FieldType> TYPES = new LinkedHashMap<>();

    static {
        TYPES.put("title", Primitive.STRING);
        TYPES.put("tags", new ArrayOf(Primitive.STRING));
        TYPES.put("labels", new ArrayOf(Primitive.STRING));
        TYPES.put("tastes", new WeightedSetOf(Primitive.STRING));
        TYPES.put("marks", new WeightedSetOf(Primitive.STRING));
        TYPES.put("grades", new WeightedSetOf(Primitive.STRING));
        TYPES.put("lines", new ArrayOf(Primitive.STRING));
        TYPES.put("keys", new WeightedSetOf(Primitive.STRING));
        TYPES.put("rated", new WeightedSetOf(Primitive.STRING));
        TYPES.put("sizes", new ArrayOf(Primitive.INT));
        TYPES.put("size", Primitive.INT);
        TYPES.put("level", Primitive.BYTE);
        TYPES.put("sent", Primitive.LONG);
        TYPES.put("times", new ArrayOf(Primitive.LONG));
        TYPES.put("home", StructOf.POSITION);
        TYPES.put("homes", new ArrayOf(StructOf.POSITION));
        TYPES.put("parts", new TensorOf(PARTS));
        TYPES.put("vector", new TensorOf(VECTOR));
        TYPES.put("dotted", new TensorOf(VECTOR));
        TYPES.put("items", new ArrayOf(ITEM));
    }

    private static final DocumentType TYPE =
            new DocumentType(
                    "mail",
                    TYPES.entrySet().stream()
                            .map(each -> new Field(each.getKey(), each.getValue(), true))
                            .toList());

    private static final Map<String, String> PROPERTIES =
            Map.ofEntries(
                    entry("closeness(homes).maxDistance", "10000"),
                    entry("closeness(homes).halfResponse", "1000"),
                    entry(
                            "distanceToPath(home).path",
                            "(13000000,52000000, 13000000,53000000, 14000000,53000000)"),
                    entry("distanceToPath(homes).path", "(13000000,52000000"),
                    entry("elementwise(bm25(tags),e,float).k1", "2"),
                    entry("elementwise(bm25(tags),e,float).b", "0.5"),
                    entry("elementwise(bm25(tags),e,float).averageElementLength", "3"),
                    entry("list", "[u v]"),
                    entry("weights", "{u:2, v:-0.5}"),
                    entry("dotProduct.want", "{sweet:2,sour:1}"),
                    entry("random.seed", "7"),
                    entry("randomNormal(-1,0.5,t).seed", "5"));

    private static final SearchedTexts TEXTS =
            new SearchedTexts(Map.of("title", Folding.ACCENTS, "tags", Folding.ACCENTS));
    private static final SearchedTexts KEYS_TOO =
            new SearchedTexts(
                    Map.of(
                            "title",
                            Folding.ACCENTS,
                            "tags",
                            Folding.ACCENTS,
                            "keys",
                            Folding.ACCENTS,
                            "rated",
                            Folding.ACCENTS));

    /** The fields whose tokens are stored in blocks. */
    private SearchedTexts texts = TEXTS;

    /** Of the last search. */
    private String trace = "";

    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 1, 1);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void areWhatTheirDefinitionsSay() throws IOException {
        Map<String, Map<String, String>> expected = values();
        Map<String, Map<String, QueryInput>> actual =
                computed(List.copyOf(Objects.requireNonNull(expected.get("m0")).keySet()));
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((document, features) ->
                features.forEach((name, value) ->
                        compare(
                                document + " " + name,
                                Objects.requireNonNull(
                                        Objects.requireNonNull(actual.get(document)).get(name),
                                        name),
                                value)));
    }

    /** Each part of {@code match} has a table of its own values. */
    @Test
    void matchIsTheAverageOfWhatFieldsAreMatched() {
        // 'tags' has no weight.
        Map<String, Integer> weights = new LinkedHashMap<>();
        weights.put("fieldMatch(title)", 300);
        weights.put("elementCompleteness(tags)", 0);
        for (String field :
                List.of("labels", "tastes", "marks", "home", "parts", "vector", "dotted")) {
            weights.put("attributeMatch(" + field + ")", 100);
        }
        var names = new ArrayList<>(weights.keySet());
        names.addAll(
                List.of("match", "match.totalWeight", "match.weight.title", "match.weight.tags"));
        computed(names)
                .forEach((document, features) -> {
                    double total = 0;
                    double sum = 0;
                    for (Map.Entry<String, Integer> each : weights.entrySet()) {
                        double score = number(features, each.getKey());
                        total += score > 0 ? each.getValue() : 0;
                        sum += score * each.getValue();
                    }
                    assertThat(number(features, "match.totalWeight")).as(document).isEqualTo(total);
                    assertThat(number(features, "match"))
                            .as(document)
                            .isCloseTo(total == 0 ? 0 : sum / total, within(1e-12));
                    assertThat(number(features, "match.weight.title")).isEqualTo(300);
                    assertThat(number(features, "match.weight.tags")).isZero();
                });
    }

    /** 'm0' has two elements of two and three words; no other document has any. */
    @Test
    void elementsAreComparedWithTheAverageOfAllWhereTheyAreCounted() {
        String name = "elementwise(bm25(tags),e)";
        QueryInput actual =
                Objects.requireNonNull(
                        Objects.requireNonNull(
                                        computed(
                                                        List.of(name, "bm25(tags)"),
                                                        terms(),
                                                        RankSettings.Statistics.GROUP)
                                                .get("m0"))
                                .get(name));

        // "b" has the significance 0.7, and occurs once in one document and twice in the other.
        double first = 0.7 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2.5));
        double second = 0.7 * 4.4 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.5));
        compare(name, actual, "{0=%s 1=%s}".formatted(first, second));
    }

    /** A value that is no collection is its only element, with the weight 1. */
    @Test
    void productsWithOneValueAreTheWeightOfItsKey() {
        var ofNumber =
                new AnyOf(
                        "size",
                        AnyOf.Kind.DOT_PRODUCT,
                        List.of(new WeightedKey("7", 5), new WeightedKey("8", 3)),
                        0,
                        settings(100, TermHints.NONE.labeled("sized")));
        Map<String, QueryInput> features =
                Objects.requireNonNull(
                        computed(
                                        List.of("rawScore(size)", "itemRawScore(sized)"),
                                        List.of(ofNumber),
                                        RankSettings.Statistics.NONE)
                                .get("m0"));

        assertThat(number(features, "rawScore(size)")).isEqualTo(5);
        assertThat(number(features, "itemRawScore(sized)")).isEqualTo(5);
    }

    /** One of three documents has the key "x", none has "w". */
    @Test
    void keysOfWeightedSetsAreCounted() {
        var names =
                List.of(
                        "term(0).significance",
                        "term(1).significance",
                        "attributeMatch(marks).significance",
                        "attributeMatch(marks).importance");
        List<QueryNode> terms =
                List.of(
                        new QueryNode.Term("marks", "x", TermSettings.DEFAULT),
                        new QueryNode.Term("marks", "w", TermSettings.DEFAULT));
        Map<String, QueryInput> features =
                Objects.requireNonNull(
                        computed(names, terms, RankSettings.Statistics.GROUP).get("m0"));

        double first = 0.5 + 0.5 * Math.log(3) / Math.log(1e6);
        double share = first / (first + 1);
        assertThat(number(features, names.get(0))).isCloseTo(first, within(1e-9));
        assertThat(number(features, names.get(1))).isEqualTo(1);
        assertThat(number(features, names.get(2))).isCloseTo(share, within(1e-9));
        assertThat(number(features, names.get(3))).isCloseTo((0.5 + share) / 2, within(1e-9));
    }

    /** Keys are treated like elements of an array, whether blocks store their tokens or not. */
    @ParameterizedTest
    @EnumSource(RankSettings.Statistics.class)
    void weightedSetsWithAnIndexAreTexts(RankSettings.Statistics statistics) {
        List<Map<String, QueryInput>> ofLines = ofTexts("lines", statistics);

        assertThat(ofTexts("keys", statistics)).isEqualTo(ofLines);
        texts = KEYS_TOO;
        assertThat(ofTexts("keys", statistics)).isEqualTo(ofLines);
    }

    /** In one of the two blocks no document has a key. */
    @Test
    void tokensOfWeightedSetsComeFromBlocks() {
        List<QueryNode> word = List.of(new QueryNode.Term("keys", "b", TermSettings.DEFAULT));
        computed(List.of("bm25(keys)", "fieldMatch(keys)"), word, RankSettings.Statistics.GROUP);
        String without = trace;
        texts = KEYS_TOO;
        computed(List.of("bm25(keys)", "fieldMatch(keys)"), word, RankSettings.Statistics.GROUP);

        assertThat(without).contains("tokenized 2 blocks");
        assertThat(trace).contains("tokenized 1 blocks");
    }

    private List<Map<String, QueryInput>> ofTexts(
            String field, RankSettings.Statistics statistics) {
        var names =
                List.of(
                        "bm25(%s)",
                        "fieldLength(%s)",
                        "fieldMatch(%s)",
                        "fieldMatch(%s).completeness",
                        "fieldMatch(%s).proximity",
                        "fieldMatch(%s).importance",
                        "nativeFieldMatch(%s)",
                        "nativeProximity(%s)",
                        "nativeAttributeMatch",
                        "nativeRank",
                        "fieldTermMatch(%s,0).firstPosition",
                        "fieldTermMatch(%s,0).occurrences",
                        "fieldTermMatch(%s,0).weight",
                        "elementCompleteness(%s).fieldCompleteness",
                        "elementSimilarity(%s)",
                        "elementwise(bm25(%s),e)",
                        "termDistance(%s,0,1).forward",
                        "term(0).significance",
                        "term(2).significance",
                        "matchCount(%s)");
        var written = names.stream().map(name -> name.formatted(field)).toList();
        List<QueryNode> terms =
                List.of(
                        new QueryNode.Term(field, "a", TermSettings.DEFAULT),
                        new QueryNode.Term(field, "b", TermSettings.DEFAULT),
                        new QueryNode.Phrase(field, List.of("c", "a"), TermSettings.DEFAULT),
                        new QueryNode.Term(field, "w", TermSettings.DEFAULT));
        Map<String, Map<String, QueryInput>> values = computed(written, terms, statistics);
        // In the order of the features, which are called after their field.
        return List.of("m0", "m1", "m2").stream()
                .map(document -> {
                    Map<String, QueryInput> features = Objects.requireNonNull(values.get(document));
                    var inOrder = new LinkedHashMap<String, QueryInput>();
                    for (int i = 0; i < names.size(); i++) {
                        inOrder.put(
                                names.get(i), Objects.requireNonNull(features.get(written.get(i))));
                    }
                    return (Map<String, QueryInput>) inOrder;
                })
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void elementsOfWeightedSetsWeighWhatTheyDo(boolean keepsTokens) {
        texts = keepsTokens ? KEYS_TOO : TEXTS;
        var word = new QueryNode.Term("rated", "b", TermSettings.DEFAULT);
        var phrase = new QueryNode.Phrase("rated", List.of("c", "a"), TermSettings.DEFAULT);

        assertThat(ofFirst("fieldTermMatch(rated,0).weight", word)).isEqualTo(27);
        assertThat(ofFirst("fieldTermMatch(rated,0).occurrences", word)).isEqualTo(2);
        assertThat(ofFirst("elementCompleteness(rated).elementWeight", phrase)).isEqualTo(20);
        assertThat(ofFirst("fieldTermMatch(rated,0).firstPosition", phrase)).isEqualTo(1);
    }

    @Test
    void normalizedWeightIsNeverNegative() {
        QueryNode marks = weightedSet("marks", new WeightedKey("y", -5), new WeightedKey("x", -7));

        assertThat(ofFirst("attributeMatch(marks).totalWeight", marks)).isNegative();
        assertThat(ofFirst("attributeMatch(marks).normalizedWeight", marks)).isZero();
    }

    /** The path of 'homes' has no end. */
    @Test
    void distanceToPathHasItsDefaultsIfThePathIsUnreadable() {
        QueryNode all = new QueryNode.Term("title", "a", TermSettings.DEFAULT);

        assertThat(ofFirst("distanceToPath(homes).distance", all)).isEqualTo(6.4e9);
        assertThat(ofFirst("distanceToPath(homes).traveled", all)).isEqualTo(1);
        assertThat(ofFirst("distanceToPath(homes).product", all)).isZero();
    }

    @Test
    void greatCircleDistanceHasTheOutputsKmLatitudeAndLongitude() {
        var near = new QueryNode.GeoCircle("home", 52.5, 13.4, -1, TermSettings.DEFAULT);

        for (String output : List.of("km", "latitude", "longitude")) {
            double value = ofFirst("great_circle_distance(home)." + output, near);
            assertThat(value)
                    .isEqualTo(ofFirst("great_circle_distance(field,home)." + output, near))
                    .isEqualTo(ofFirst("distance(home)." + output, near));
        }
        assertThat(ofFirst("great_circle_distance(home)", near))
                .isEqualTo(ofFirst("distance(home).km", near));
        assertThat(ofFirst("great_circle_distance(home).latitude", near)).isEqualTo(52.5);
    }

    /** The weights of the query are used, and not those of the document's keys. */
    @Test
    void weightedSetsOfAQueryHaveItsWeights() {
        QueryNode marks = weightedSet("marks", new WeightedKey("y", 5), new WeightedKey("x", 7));
        QueryNode sizes = weightedSet("sizes", new WeightedKey("6", -3), new WeightedKey("9", 2));

        assertThat(ofFirst("fieldTermMatch(marks,0).weight", marks)).isEqualTo(12);
        assertThat(ofFirst("fieldTermMatch(marks,0).occurrences", marks)).isEqualTo(2);
        assertThat(ofFirst("fieldTermMatch(marks,0).lastPosition", marks)).isZero();
        assertThat(ofFirst("nativeDotProduct(marks)", marks)).isEqualTo(700);
        assertThat(ofFirst("attributeMatch(marks).totalWeight", marks)).isEqualTo(7);
        assertThat(ofFirst("fieldTermMatch(sizes,0).weight", sizes)).isEqualTo(-3);
        assertThat(ofFirst("nativeDotProduct(sizes)", sizes)).isEqualTo(-300);
    }

    private static AnyOf weightedSet(String field, WeightedKey... keys) {
        return new AnyOf(field, AnyOf.Kind.WEIGHTED_SET, List.of(keys), 0, TermSettings.DEFAULT);
    }

    /** The table of the rank type is 38 ln(1 + weight) + 50, up to the weight 255. */
    @Test
    void keysOfWeight0AndTermsBelow0CountForAttributes() {
        double most = 38 * Math.log(256) + 50;
        var zero = new QueryNode.Term("grades", "zero", TermSettings.DEFAULT);
        var unwanted = new QueryNode.Term("grades", "ten", TermSettings.DEFAULT.withWeight(-100));

        assertThat(ofFirst("nativeAttributeMatch", zero)).isCloseTo(50 / most, within(1e-9));
        assertThat(ofFirst("nativeAttributeMatch", unwanted))
                .isCloseTo((38 * Math.log(11) + 50) / most, within(1e-9));
    }

    /** Returns a feature of 'm0' for a query of one term. */
    private double ofFirst(String name, QueryNode term) {
        return number(
                Objects.requireNonNull(
                        computed(List.of(name), List.of(term), RankSettings.Statistics.NONE)
                                .get("m0")),
                name);
    }

    @Test
    void nearestNeighborsAreTermsWithWeights() {
        QueryNode nearest = nearest(TermSettings.DEFAULT.withWeight(200));

        assertThat(numbers(nearest, "queryTermCount", "term(0).weight", "matches(vector)"))
                .containsExactly(1.0, 200.0, 1.0);
    }

    @Test
    void nearestNeighborsThatAreNotRankedAreSeenByNoFeature() {
        QueryNode nearest = nearest(TermSettings.DEFAULT.withWeight(200).labeled("l").unranked());

        assertThat(numbers(nearest, "queryTermCount", "term(0).weight", "matches(vector)"))
                .containsOnly(0.0);
        assertThat(
                        numbers(
                                nearest,
                                "rawScore(vector)",
                                "itemRawScore(l)",
                                "closeness(field,vector)",
                                "closeness(label,l)"))
                .containsOnly(0.0);
    }

    /** 'title' has "a" twice, 'sizes' has both numbers, and where and how often is not seen. */
    @Test
    void valuesThatAreListedAreOneTermOfWhichOnlyAMatchIsSeen() {
        assertThat(
                        numbers(
                                in("title", "a", "zz"),
                                "queryTermCount",
                                "term(0).weight",
                                "matches(title)",
                                "matches(title,0)",
                                "matchCount(title)",
                                "fieldTermMatch(title,0).occurrences"))
                .containsExactly(1.0, 200.0, 1.0, 1.0, 1.0, 1.0);
        assertThat(
                        numbers(
                                in("title", "a"),
                                "fieldTermMatch(title,0).firstPosition",
                                "bm25(title)",
                                "rawScore(title)"))
                .containsExactly(1_000_000.0, 0.0, 0.0);
        for (String field : List.of("size", "sizes")) {
            assertThat(
                            numbers(
                                    in(field, "4", "5", "7"),
                                    "queryTermCount",
                                    "matches(" + field + ")",
                                    "attributeMatch(" + field + ").matches"))
                    .containsExactly(1.0, 1.0, 1.0);
        }
        assertThat(numbers(in("size", "8"), "queryTermCount", "matches(size)", "matchCount(size)"))
                .containsExactly(1.0, 0.0, 0.0);
    }

    private static QueryNode in(String field, String... keys) {
        return new AnyOf(
                field,
                AnyOf.Kind.IN,
                Arrays.stream(keys).map(key -> new WeightedKey(key, 1)).toList(),
                0,
                TermSettings.DEFAULT.withWeight(200));
    }

    private static QueryNode nearest(TermSettings settings) {
        return new QueryNode.NearestNeighbor("vector", "qv", 10, OptionalDouble.empty(), settings);
    }

    /** Returns features of the first document for a query of one node. */
    private List<Double> numbers(QueryNode node, String... names) {
        Map<String, QueryInput> features =
                Objects.requireNonNull(
                        computed(List.of(names), List.of(node), RankSettings.Statistics.NONE)
                                .get("m0"));
        return Arrays.stream(names).map(name -> number(features, name)).toList();
    }

    private static double number(Map<String, QueryInput> features, String name) {
        return ((QueryInput.NumberInput) Objects.requireNonNull(features.get(name), name)).value();
    }

    private static void compare(String what, QueryInput actual, String expected) {
        if (actual instanceof QueryInput.NumberInput(double number)) {
            double wanted = Double.parseDouble(expected);
            if (Double.isNaN(wanted)) {
                assertThat(number).as(what).isNaN();
            } else {
                assertThat(number).as(what).isCloseTo(wanted, tolerance(wanted, 1e-9));
            }
            return;
        }
        TensorData tensor = TensorData.of(((QueryInput.TensorInput) actual).value());
        var wanted = new HashMap<String, Double>();
        for (String cell : expected.substring(1, expected.length() - 1).split(" ", -1)) {
            int equals = cell.indexOf('=');
            if (equals >= 0) {
                wanted.put(
                        cell.substring(0, equals), Double.parseDouble(cell.substring(equals + 1)));
            }
        }
        assertThat(tensor.subspaceCount()).as(what).isEqualTo(wanted.size());
        for (int i = 0; i < tensor.subspaceCount(); i++) {
            String labels = String.join(",", tensor.labels(i));
            assertThat(wanted).as(what).containsKey(labels);
            double value = Objects.requireNonNull(wanted.get(labels));
            // Cells may be floats.
            assertThat(tensor.cells()[i])
                    .as(what + " " + labels)
                    .isCloseTo(value, tolerance(value, 1e-6));
        }
    }

    private static Offset<Double> tolerance(double value, double part) {
        return within(part * Math.max(1, Math.abs(value)));
    }

    private static Map<String, Map<String, String>> values() throws IOException {
        var values = new LinkedHashMap<String, Map<String, String>>();
        try (InputStream file =
                Objects.requireNonNull(
                        FeatureValuesTest.class.getResourceAsStream("feature-values.txt"))) {
            for (String line :
                    new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                String[] parts = line.split("\t", -1);
                values.computeIfAbsent(parts[0], _ -> new LinkedHashMap<>())
                        .put(parts[1], parts[2]);
            }
        }
        return values;
    }

    /** Returns the values of features, by document. */
    private Map<String, Map<String, QueryInput>> computed(List<String> names) {
        return computed(names, terms(), RankSettings.Statistics.NONE);
    }

    private Map<String, Map<String, QueryInput>> computed(
            List<String> names, List<QueryNode> terms, RankSettings.Statistics statistics) {
        var features = new LinkedHashMap<String, Expression>();
        names.forEach(name -> features.put(name, ExpressionParser.parse(name)));
        try (var block = new MailBlock(2, texts, TYPE)) {
            List<Map<String, FieldValue>> documents = documents();
            for (int i = 0; i < documents.size(); i++) {
                block.with("m" + i, documents.get(i));
            }
            SearchReply reply =
                    search.run(request(terms, statistics), schema(features), List.of(block.view()));
            assertThat(reply).isInstanceOf(SearchReply.Found.class);
            trace = String.join("\n", ((SearchReply.Found) reply).report().trace());
            var computed = new LinkedHashMap<String, Map<String, QueryInput>>();
            for (SearchHit hit : ((SearchReply.Found) reply).hits()) {
                computed.put(hit.id().user(), hit.matchFeatures());
            }
            return computed;
        }
    }

    private static SearchRequest request(
            List<QueryNode> terms, RankSettings.Statistics statistics) {
        return new SearchRequest(
                new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5))),
                new SearchScope(List.of(0), "mail", new Scope.Everything(), List.of()),
                new RankedQuery(
                        new QueryNode.Rank(new QueryNode.All(), terms),
                        new RankSettings(
                                "features",
                                Map.of(
                                        "qv", new QueryInput.TensorInput(vector(1, 1, 0)),
                                        "qm",
                                                new QueryInput.TensorInput(
                                                        MixedTensor.of(
                                                                TensorType.parse("tensor(k{})"),
                                                                Map.of(
                                                                        List.of("sweet"),
                                                                        new double[] {4},
                                                                        List.of("salt"),
                                                                        new double[] {7})))),
                                statistics,
                                NOW)),
                new HitSettings(10, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    private static List<QueryNode> terms() {
        TermHints none = TermHints.NONE;
        TermHints first = none.labeled("first");
        return List.of(
                new QueryNode.Term(
                        "title",
                        "a",
                        settings(200, first.withFrequency(new TermHints.Frequency(3, 10)))),
                new QueryNode.Term(
                        "tags", "b", settings(100, none.labeled("second").withSignificance(0.7))),
                new QueryNode.Phrase("title", List.of("c", "d"), settings(100, first)),
                new QueryNode.Term("labels", "q", TermSettings.DEFAULT),
                new QueryNode.Term("tastes", "sour", TermSettings.DEFAULT),
                new QueryNode.Term("marks", "x", TermSettings.DEFAULT),
                new QueryNode.Term("marks", "y", TermSettings.DEFAULT.withWeight(50)),
                new QueryNode.Term("marks", "w", TermSettings.DEFAULT),
                new AnyOf(
                        "tastes",
                        AnyOf.Kind.DOT_PRODUCT,
                        List.of(new WeightedKey("sweet", 2), new WeightedKey("bitter", 5)),
                        0,
                        settings(100, none.labeled("wand"))),
                new QueryNode.GeoCircle("home", 52.52, 13.405, -1, TermSettings.DEFAULT),
                new QueryNode.NearestNeighbor(
                        "parts",
                        "qv",
                        10,
                        OptionalDouble.empty(),
                        TermSettings.DEFAULT.labeled("near")),
                new QueryNode.NearestNeighbor(
                        "vector",
                        "qv",
                        10,
                        OptionalDouble.empty(),
                        TermSettings.DEFAULT.labeled("flat")),
                new QueryNode.NearestNeighbor(
                        "dotted", "qv", 10, OptionalDouble.empty(), TermSettings.DEFAULT));
    }

    private static TermSettings settings(int weight, TermHints hints) {
        return new TermSettings(weight, true, TermSettings.Affix.FIELD, hints);
    }

    private static Schema schema(Map<String, Expression> features) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            boolean isText =
                    Set.of("title", "tags", "lines", "keys", "rated").contains(field.name());
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(isText ? Aspect.INDEX : Aspect.ATTRIBUTE),
                            isText ? MatchMode.TEXT : MatchMode.WORD,
                            field.name().equals("dotted")
                                    ? DistanceMetric.DOTPRODUCT
                                    : DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        var profile =
                new RankProfile(
                                "features",
                                Map.of(
                                        "qv",
                                        Input.of(VECTOR, Optional.empty()),
                                        "qm",
                                        Input.of(
                                                TensorType.parse("tensor(k{})"), Optional.empty())),
                                new Constant(0),
                                features,
                                PROPERTIES)
                        .withFields(
                                Map.of(
                                        "title",
                                        FieldRanking.NONE.withWeight(300),
                                        "tags",
                                        FieldRanking.NONE.withWeight(0),
                                        "grades",
                                        FieldRanking.NONE.with(RankType.TAGS)));
        return new Schema(
                "mail",
                TYPE,
                fields,
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of("features", profile),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }

    private static List<Map<String, FieldValue>> documents() {
        Map<String, FieldValue> full =
                Map.ofEntries(
                        entry("title", new StringValue("a c d b a")),
                        entry("tags", strings("b x", "a b b")),
                        entry("labels", strings("p", "q")),
                        entry("tastes", weighted(Map.of("sweet", 3, "sour", -2))),
                        entry("marks", weighted(Map.of("x", 10, "y", 30, "z", 60))),
                        entry("grades", weighted(Map.of("zero", 0, "ten", 10))),
                        entry("lines", strings("a b", "b c a", "x")),
                        entry("keys", weighted("a b", 1, "b c a", 1, "x", 1)),
                        entry("rated", weighted("a b", 7, "b c a", 20, "x", 100)),
                        entry(
                                "sizes",
                                new ArrayValue(
                                        List.of(
                                                new IntValue(4),
                                                new IntValue(5),
                                                new IntValue(6)))),
                        entry("size", new IntValue(7)),
                        entry("level", new IntValue(-127)),
                        entry("sent", new LongValue(NOW - 1_000)),
                        entry(
                                "times",
                                new ArrayValue(
                                        List.of(new LongValue(NOW - 604_800), new LongValue(5)))),
                        entry("home", place(52.5, 13.4)),
                        entry(
                                "homes",
                                new ArrayValue(List.of(place(48.85, 2.35), place(52.53, 13.41)))),
                        entry(
                                "parts",
                                parts(
                                        Map.of(
                                                List.of("one"),
                                                new double[] {1, 0, 0},
                                                List.of("two"),
                                                new double[] {0, 2, 0}))),
                        entry("vector", new FieldValue.TensorValue(vector(1, 2, 3))),
                        entry("dotted", new FieldValue.TensorValue(vector(1, 2, 3))),
                        entry(
                                "items",
                                new ArrayValue(
                                        List.of(
                                                item("n1", 1, 2.5),
                                                item("n2", 2, 4),
                                                item("n1", 1, 3)))));
        Map<String, FieldValue> some =
                Map.of(
                        "title",
                        new StringValue("b"),
                        "labels",
                        strings("q"),
                        "level",
                        new IntValue(Byte.MIN_VALUE),
                        "home",
                        place(-33.86, 151.2),
                        "parts",
                        parts(Map.of(List.of("three"), new double[] {3, 3, 3})),
                        "vector",
                        new FieldValue.TensorValue(vector(0, 0, 1)),
                        "dotted",
                        new FieldValue.TensorValue(vector(-4, 0, 1)));
        return List.of(full, Map.of(), some);
    }

    private static ArrayValue strings(String... texts) {
        return new ArrayValue(Arrays.stream(texts).<FieldValue>map(StringValue::new).toList());
    }

    private static FieldValue weighted(Map<String, Integer> weights) {
        var elements = new LinkedHashMap<FieldValue, Integer>();
        weights.forEach((text, weight) -> elements.put(new StringValue(text), weight));
        return new FieldValue.WeightedSetValue(elements);
    }

    private static FieldValue weighted(
            String first, int ofFirst, String second, int ofSecond, String third, int ofThird) {
        var weights = new LinkedHashMap<String, Integer>();
        weights.put(first, ofFirst);
        weights.put(second, ofSecond);
        weights.put(third, ofThird);
        return weighted(weights);
    }

    private static FieldValue parts(Map<List<String>, double[]> subspaces) {
        return new FieldValue.MixedTensorValue(MixedTensor.of(PARTS, subspaces));
    }

    private static DenseTensor vector(double... cells) {
        return DenseTensor.of(VECTOR, cells);
    }

    private static StructValue place(double latitude, double longitude) {
        return new StructValue(
                Map.of("lat", new DoubleValue(latitude), "lng", new DoubleValue(longitude)));
    }

    private static StructValue item(String name, int kind, double price) {
        return new StructValue(
                Map.of(
                        "name",
                        new StringValue(name),
                        "kind",
                        new IntValue(kind),
                        "price",
                        new DoubleValue(price)));
    }
}
