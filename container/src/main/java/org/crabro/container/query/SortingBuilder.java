package org.crabro.container.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SortSettings;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/**
 * Completes the sort order of a request for content nodes. It adds the settings of schemas, the
 * language of the query, and the order of missing values.
 */
final class SortingBuilder {
    private static final int MAX_KEYS = 50;

    private final Parameters parameters;
    private final List<Schema> schemas;

    /**
     * @param schemas the schemas that are searched; the first one with a field counts
     */
    SortingBuilder(Parameters parameters, List<Schema> schemas) {
        this.parameters = parameters;
        this.schemas = schemas;
    }

    /**
     * Returns the order.
     *
     * @param ofYql the order in the statement, which overrides the parameter
     */
    List<SortKey> keys(List<SortKey> ofYql) {
        List<SortKey> keys =
                ofYql.isEmpty()
                        ? parameters
                                .text(Parameter.SORTING)
                                .map(text -> SortingParser.parse(text, this::descends))
                                .orElse(List.of())
                        : ofYql;
        if (keys.size() > MAX_KEYS) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "found %d keys to sort by, max allowed: %d".formatted(keys.size(), MAX_KEYS));
        }
        if (keys.isEmpty() || keys.equals(List.of(new SortKey.Relevance(false)))) {
            // The default order.
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

    /** Returns the language of the query; empty if the request names none. */
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
        if (isRaw(key.field())) {
            return key.with(new TextOrder.EncodedBytes());
        }
        SortSettings settings = settings(key.field());
        return switch (key.texts()) {
            case TextOrder.LowerCase(), TextOrder.Raw(), TextOrder.EncodedBytes() -> key;
            case TextOrder.Collated(var locale, var strength) ->
                    key.with(
                            new TextOrder.Collated(
                                    locale.or(settings::locale).or(() -> language),
                                    strength.or(() -> strength(settings))));
            case TextOrder.Declared() -> key.with(declared(settings, language));
        };
    }

    /** Returns whether a field, or a part of one, has bytes as its values or its elements. */
    private boolean isRaw(String name) {
        return schemas.stream()
                .flatMap(schema -> type(name, schema).stream())
                .findFirst()
                .filter(SortingBuilder::isRaw)
                .isPresent();
    }

    private static boolean isRaw(FieldType type) {
        return type == FieldType.Primitive.RAW
                || (type instanceof FieldType.ArrayOf(var element) && isRaw(element))
                || (type instanceof FieldType.WeightedSetOf(var key) && isRaw(key));
    }

    private static Optional<FieldType> type(String name, Schema schema) {
        String path = schema.unaliased(name);
        int dot = path.indexOf('.');
        Optional<FieldType> type =
                schema.field(dot < 0 ? path : path.substring(0, dot))
                        .map(field -> field.field().type());
        return dot < 0 ? type : type.flatMap(of -> part(of, path.substring(dot + 1)));
    }

    private static Optional<FieldType> part(FieldType of, String path) {
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        Optional<FieldType> part =
                switch (of) {
                    case FieldType.ArrayOf(var element) -> part(element, first);
                    case FieldType.StructOf(_, var fields) ->
                            fields.stream()
                                    .filter(field -> field.name().equals(first))
                                    .map(Field::type)
                                    .findFirst();
                    case FieldType.MapOf(var key, _) when first.equals("key") -> Optional.of(key);
                    // A key in braces leads to a value too.
                    case FieldType.MapOf(_, var value) -> Optional.of(value);
                    case FieldType.Primitive _,
                            FieldType.WeightedSetOf _,
                            FieldType.ReferenceOf _,
                            FieldType.TensorOf _ ->
                            Optional.empty();
                };
        return dot < 0 ? part : part.flatMap(each -> part(each, path.substring(dot + 1)));
    }

    private boolean descends(String field) {
        return settings(field).descends();
    }

    private SortSettings settings(String field) {
        return schemas.stream()
                .flatMap(schema -> schema.field(field).stream())
                .map(schemaField -> schemaField.values().sorting())
                .findFirst()
                .orElse(SortSettings.NONE);
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
                            // Without a language there are no collation rules.
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

    /** Returns whether a field has several values: a collection, or a member of its elements. */
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
}
