package org.crabro.content.search.execution;

import static java.util.Map.entry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.crabro.text.Folding;

/** A schema with a field of every kind, for tests. */
public final class Mails {
    public static final TensorType VECTOR = TensorType.parse("tensor<float>(x[4])");
    public static final TensorType BITS = TensorType.parse("tensor<int8>(y[2])");

    /** The time of the queries of tests. */
    public static final long NOW = 1_700_000_000L;

    private static final String STEPS = "if (attribute(read) > 0, query(boost), attribute(price))";

    /** Profiles by name, each with its expression. */
    public static final Map<String, String> PROFILES =
            Map.ofEntries(
                    entry("unranked", "0"),
                    entry("default", "attribute(size)"),
                    entry("words", "bm25(title) + 2 * bm25(body) + bm25(tags)"),
                    entry("near", "closeness(field, vector)"),
                    entry("hybrid", "10 * closeness(field, vector) + bm25(body) + matches(lang)"),
                    entry("fresh", "freshness(sent) + 100 * freshness(sent).logscale"),
                    entry("broken", "attribute(weight) / attribute(size)"),
                    entry("steps", STEPS));

    private static final List<FieldOf> FIELDS =
            List.of(
                    text("title", Primitive.STRING, MatchMode.TEXT, Aspect.INDEX),
                    text("body", Primitive.STRING, MatchMode.TEXT, Aspect.INDEX),
                    text(
                            "tags",
                            new FieldType.ArrayOf(Primitive.STRING),
                            MatchMode.TEXT,
                            Aspect.INDEX),
                    text("lang", Primitive.STRING, MatchMode.WORD, Aspect.ATTRIBUTE),
                    text(
                            "code",
                            Primitive.STRING,
                            new MatchMode(Unit.VALUE, Affix.WHOLE, true),
                            Aspect.ATTRIBUTE),
                    text(
                            "labels",
                            new FieldType.ArrayOf(Primitive.STRING),
                            MatchMode.WORD,
                            Aspect.ATTRIBUTE),
                    text(
                            "stem",
                            Primitive.STRING,
                            new MatchMode(Unit.TOKEN, Affix.PREFIX, false),
                            Aspect.INDEX),
                    number("size", Primitive.INT),
                    number("sent", Primitive.LONG),
                    number("price", Primitive.FLOAT),
                    number("weight", Primitive.DOUBLE),
                    number("read", Primitive.BOOL),
                    new FieldOf(
                            "vector",
                            new FieldType.TensorOf(VECTOR),
                            MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            Set.of(Aspect.ATTRIBUTE)),
                    new FieldOf(
                            "bits",
                            new FieldType.TensorOf(BITS),
                            MatchMode.WORD,
                            DistanceMetric.HAMMING,
                            Set.of(Aspect.ATTRIBUTE)),
                    new FieldOf(
                            "note",
                            Primitive.STRING,
                            MatchMode.TEXT,
                            DistanceMetric.EUCLIDEAN,
                            Set.of(Aspect.SUMMARY)));

    /** The current type of the documents. */
    public static final DocumentType TYPE = type("mail", FIELDS);

    /** The fields that are searched word by word. */
    public static final SearchedTexts SEARCHED_TEXTS =
            new SearchedTexts(
                    Map.of(
                            "title", Folding.ACCENTS,
                            "body", Folding.ACCENTS,
                            "tags", Folding.ACCENTS,
                            "stem", Folding.ACCENTS));

    /** The same fields, as if their words were compared as they are. */
    public static final SearchedTexts CASED_TEXTS =
            new SearchedTexts(
                    Map.of("title", Folding.NONE, "body", Folding.NONE, "tags", Folding.NONE));

    /** The type before some fields were added and one field changed its type. */
    public static final DocumentType OLD_TYPE =
            new DocumentType(
                    "mail",
                    TYPE.fields().subList(0, 9).stream()
                            .map(field ->
                                    field.name().equals("size")
                                            ? new Field("size", Primitive.LONG, true)
                                            : field)
                            .toList());

    public static final Schema SCHEMA = schema();

    private record FieldOf(
            String name,
            FieldType type,
            MatchMode match,
            DistanceMetric metric,
            Set<Aspect> aspects) {
        Field field() {
            return new Field(name, type, true);
        }
    }

    private Mails() {}

    private static FieldOf text(String name, FieldType type, MatchMode match, Aspect aspect) {
        return new FieldOf(
                name, type, match, DistanceMetric.EUCLIDEAN, Set.of(aspect, Aspect.SUMMARY));
    }

    private static FieldOf number(String name, FieldType type) {
        return new FieldOf(
                name,
                type,
                MatchMode.WORD,
                DistanceMetric.EUCLIDEAN,
                Set.of(Aspect.ATTRIBUTE, Aspect.SUMMARY));
    }

    private static DocumentType type(String name, List<FieldOf> fields) {
        return new DocumentType(name, fields.stream().map(FieldOf::field).toList());
    }

    private static Schema schema() {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (FieldOf field : FIELDS) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field.field(),
                            field.aspects(),
                            field.match(),
                            field.metric(),
                            new IndexingScript(List.of())));
        }
        var profiles = new LinkedHashMap<String, RankProfile>();
        PROFILES.forEach((name, text) -> profiles.put(name, profile(name, text, Map.of())));
        profiles.put(
                "tuned",
                profile(
                        "tuned",
                        "bm25(title)",
                        Map.of("bm25(title).k1", "2", "bm25(title).averageFieldLength", "5")));
        profiles.put("segments", profile("segments", "fieldMatch(title)", Map.of()));
        profiles.put("outer", profile("outer", "sum(query(left) * query(right))", Map.of()));
        profiles.put("again", twoPhases("again", STEPS));
        profiles.put("placed", twoPhases("placed", "10 * firstPhaseRank + firstPhaseMax"));
        return new Schema(
                "mail",
                TYPE,
                fields,
                new FieldNames(
                        Map.of(
                                "default",
                                new Fieldset("default", List.of("title", "body", "tags")),
                                "mixed",
                                new Fieldset("mixed", List.of("title", "size", "vector"))),
                        Map.of(),
                        Map.of()),
                profiles,
                new SummaryRules(
                        Map.of(
                                "default",
                                new DocumentSummary(
                                        "default",
                                        FIELDS.stream()
                                                .map(field ->
                                                        new SummaryField(
                                                                field.name(), field.name()))
                                                .toList()),
                                "short",
                                new DocumentSummary(
                                        "short",
                                        List.of(
                                                new SummaryField("subject", "title"),
                                                new SummaryField("size", "size")))),
                        SnippetRules.DEFAULT));
    }

    /** By size, and then by another expression. */
    private static RankProfile twoPhases(String name, String second) {
        return profile(name, "attribute(size)", Map.of())
                .with(
                        new Phases(
                                OptionalDouble.empty(),
                                Optional.of(
                                        new Phases.Second(
                                                ExpressionParser.parse(second),
                                                OptionalInt.empty(),
                                                OptionalInt.empty(),
                                                OptionalDouble.empty())),
                                Optional.empty()));
    }

    private static RankProfile profile(String name, String text, Map<String, String> properties) {
        var matchFeatures = new LinkedHashMap<String, Expression>();
        matchFeatures.put("score", ExpressionParser.parse(text));
        matchFeatures.put("bm25(title)", ExpressionParser.parse("bm25(title)"));
        matchFeatures.put("terms", ExpressionParser.parse("queryTermCount"));
        matchFeatures.put("vector", ExpressionParser.parse("attribute(vector)"));
        return new RankProfile(
                name,
                Map.of(
                        "boost",
                        Input.of(
                                TensorType.SCALAR,
                                Optional.of(DenseTensor.of(TensorType.SCALAR, new double[] {2.5}))),
                        "q",
                        Input.of(VECTOR, Optional.empty())),
                ExpressionParser.parse(text),
                matchFeatures,
                properties);
    }
}
