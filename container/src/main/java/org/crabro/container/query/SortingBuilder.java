package org.crabro.container.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SortSettings;
import org.crabro.document.FieldType;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/**
 * Makes of the order that a request asks for what content nodes are asked: whatever it leaves to
 * schemas, to the query's language, and to the number of values is said.
 */
final class SortingBuilder {
    private static final int MAX_KEYS = 50;

    private final Parameters parameters;
    private final List<Schema> schemas;

    /**
     * @param schemas those searched; where they say different things of a field the first counts
     */
    SortingBuilder(Parameters parameters, List<Schema> schemas) {
        this.parameters = parameters;
        this.schemas = schemas;
    }

    /**
     * Returns the order.
     *
     * @param ofYql the statement's, which wins
     */
    List<SortKey> keys(List<SortKey> ofYql) {
        List<SortKey> keys =
                ofYql.isEmpty()
                        ? parameters
                                .text(Parameter.SORTING)
                                .map(SortingParser::parse)
                                .orElse(List.of())
                        : ofYql;
        if (keys.size() > MAX_KEYS) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "found %d keys to sort by, max allowed: %d".formatted(keys.size(), MAX_KEYS));
        }
        if (keys.isEmpty() || keys.equals(List.of(new SortKey.Relevance(false)))) {
            // The usual order.
            return List.of();
        }
        Optional<String> language = language();
        return keys.stream()
                .map(key ->
                        key instanceof SortKey.FieldValueOf value
                                ? withMissing(withTexts(value, language))
                                : key)
                .toList();
    }

    /** Returns the language of the query, where the request says it. */
    Optional<String> language() {
        return language(Parameter.LOCALE).or(() -> language(Parameter.LANGUAGE));
    }

    private Optional<String> language(Parameter parameter) {
        return parameters
                .text(parameter)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text ->
                        parameter.read(
                                text,
                                "a language tag such as de or en-US",
                                tag -> Optional.of(tag).filter(Collation::isLocale)));
    }

    private SortKey.FieldValueOf withTexts(SortKey.FieldValueOf key, Optional<String> language) {
        Optional<SortSettings> declared = field(key).map(SchemaField::sorting).findFirst();
        SortSettings settings = declared.orElse(SortSettings.NONE);
        return switch (key.texts()) {
            case TextOrder.LowerCase(), TextOrder.Raw() -> key;
            case TextOrder.Collated(var locale, var strength) ->
                    key.with(
                            new TextOrder.Collated(
                                    locale.or(settings::locale).or(() -> language),
                                    strength.or(() -> strength(settings))));
            case TextOrder.Declared() -> key.with(declared(settings, language));
        };
    }

    private static TextOrder declared(SortSettings settings, Optional<String> language) {
        return switch (settings.function().orElse(SortSettings.Function.UCA)) {
            case RAW -> new TextOrder.Raw();
            case LOWERCASE -> new TextOrder.LowerCase();
            case UCA ->
                    settings.locale()
                            .or(() -> language)
                            .<TextOrder>map(locale ->
                                    new TextOrder.Collated(Optional.of(locale), strength(settings)))
                            // Without a language there are no rules to go by.
                            .orElseGet(TextOrder.LowerCase::new);
        };
    }

    private static Optional<TextOrder.Strength> strength(SortSettings settings) {
        return settings.strength()
                .map(text -> TextOrder.Strength.valueOf(text.toUpperCase(Locale.ROOT)));
    }

    /** Documents without any of several values come last, unless the key says otherwise. */
    private SortKey withMissing(SortKey.FieldValueOf key) {
        boolean isMany =
                key.missing() instanceof SortKey.Missing.Smallest
                        && schemas.stream().anyMatch(schema -> hasSeveral(key.field(), schema));
        return isMany ? key.with(new SortKey.Missing.Last()) : key;
    }

    /** Whether it is a collection, or what each of its elements has. */
    private static boolean hasSeveral(String name, Schema schema) {
        int dot = name.indexOf('.');
        FieldType whole =
                schema.field(dot < 0 ? name : name.substring(0, dot))
                        .<FieldType>map(field -> field.field().type())
                        .orElse(FieldType.Primitive.STRING);
        return whole instanceof FieldType.ArrayOf
                || (whole instanceof FieldType.WeightedSetOf && dot < 0)
                || (whole instanceof FieldType.MapOf && dot >= 0);
    }

    private Stream<SchemaField> field(SortKey.FieldValueOf key) {
        return schemas.stream().flatMap(schema -> schema.field(key.field()).stream());
    }
}
