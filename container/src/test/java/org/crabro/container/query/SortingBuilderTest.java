package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchRules;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SortSettings;
import org.crabro.config.schema.ValueRules;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.WeightRules;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;
import org.crabro.ranking.kernel.DistanceMetric;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortingBuilderTest {
    private static final Schema SCHEMA =
            schema(
                    field("plain", SortSettings.NONE),
                    field("raw", settings(SortSettings.Function.RAW, null, null)),
                    field("lower", settings(SortSettings.Function.LOWERCASE, null, "sv")),
                    field("swedish", settings(null, "tertiary", "sv")),
                    field("strong", settings(SortSettings.Function.UCA, "identical", null)),
                    field("falling", descending()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    plain               |    | lowercase
                    plain               | de | uca de -
                    raw                 | de | raw
                    lower               | de | lowercase
                    swedish             |    | uca sv TERTIARY
                    swedish             | de | uca sv TERTIARY
                    strong              |    | lowercase
                    strong              | de | uca de IDENTICAL
                    lowercase(swedish)  |    | lowercase
                    raw(swedish)        | de | raw
                    uca(plain)          |    | uca - -
                    uca(plain)          | de | uca de -
                    uca(plain,fr)       | de | uca fr -
                    uca(swedish)        | de | uca sv TERTIARY
                    uca(swedish,fr)     |    | uca fr TERTIARY
                    uca(raw,fr,primary) |    | uca fr PRIMARY
                    uca(nowhere)        |    | uca - -
                    nowhere             | de | uca de -
                    """)
    void saysHowStringsAreCompared(String key, @Nullable String language, String expected) {
        var given = new HashMap<>(Map.of("sorting", key));
        if (language != null) {
            given.put("language", language);
        }

        List<SortKey> keys =
                new SortingBuilder(new Parameters(given), List.of(SCHEMA)).keys(List.of());

        assertThat(keys.stream().map(SortingBuilderTest::texts)).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "falling, false",
        "+falling, true",
        "-falling, false",
        "raw(falling), false",
        "'missing(falling, last)', false",
        "'+missing(falling, last)', true",
        "plain, true",
        "nowhere, true",
        "-plain, false",
    })
    void theSchemaDecidesTheDirectionOfAKeyWithoutSign(String key, boolean ascending) {
        List<SortKey> keys =
                new SortingBuilder(new Parameters(Map.of("sorting", key)), List.of(SCHEMA))
                        .keys(List.of());

        assertThat(keys)
                .singleElement()
                .satisfies(each ->
                        assertThat(((SortKey.FieldValueOf) each).ascending()).isEqualTo(ascending));
    }

    private static String texts(SortKey key) {
        return switch (((SortKey.FieldValueOf) key).texts()) {
            case TextOrder.Declared() -> "declared";
            case TextOrder.LowerCase() -> "lowercase";
            case TextOrder.Raw() -> "raw";
            case TextOrder.EncodedBytes() -> "bytes";
            case TextOrder.Collated(var locale, var strength) ->
                    "uca %s %s"
                            .formatted(
                                    locale.orElse("-"),
                                    strength.map(TextOrder.Strength::name).orElse("-"));
        };
    }

    private static SortSettings settings(
            SortSettings.@Nullable Function function,
            @Nullable String strength,
            @Nullable String locale) {
        return new SortSettings(
                Optional.ofNullable(function),
                Optional.ofNullable(strength),
                Optional.ofNullable(locale),
                false);
    }

    private static SortSettings descending() {
        return new SortSettings(Optional.empty(), Optional.empty(), Optional.empty(), true);
    }

    private static SchemaField field(String name, SortSettings sorting) {
        return new SchemaField(
                new Field(name, FieldType.Primitive.STRING, true),
                Set.of(Aspect.ATTRIBUTE),
                new MatchRules(MatchMode.WORD),
                new IndexingScript(List.of()),
                new ValueRules(DistanceMetric.EUCLIDEAN, WeightRules.NONE, sorting, false),
                FieldRanking.NONE);
    }

    private static Schema schema(SchemaField... fields) {
        List<SchemaField> all = List.of(fields);
        return new Schema(
                "song",
                new DocumentType("song", all.stream().map(SchemaField::field).toList()),
                all.stream()
                        .collect(Collectors.toMap(field -> field.field().name(), field -> field)));
    }
}
