package org.crabro.container.search;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.Schema;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SearchHit;

/** Decodes fields of bytes, and bytes in structs, arrays and maps, from base64 to text. */
final class RawFields {
    private RawFields() {}

    /**
     * Returns a hit with its fields of bytes as texts. Bytes that are no UTF-8 become replacement
     * characters.
     *
     * @param summary the document summary of the hit
     */
    static SearchHit asTexts(SearchHit hit, Schema schema, String summary) {
        Map<String, FieldValue> shown = new LinkedHashMap<>(hit.summary());
        shown.replaceAll((name, value) ->
                type(name, schema, summary).map(type -> text(value, type)).orElse(value));
        return hit.withSummary(shown);
    }

    private static Optional<FieldType> type(String name, Schema schema, String summary) {
        return source(name, schema, summary)
                .flatMap(schema::field)
                .map(field -> field.field().type());
    }

    /** Returns the field that a summary field shows; empty if it joins several to a text. */
    static Optional<String> source(String name, Schema schema, String summary) {
        Optional<SummaryField> declared =
                Optional.ofNullable(schema.summaries().byName().get(summary))
                        .map(DocumentSummary::fields)
                        .stream()
                        .flatMap(fields -> fields.stream())
                        .filter(field -> field.name().equals(name))
                        .findFirst();
        String source = name;
        if (declared.isPresent()) {
            String first = declared.get().sources().getFirst();
            if (declared.get().filtered()) {
                source = first.substring(0, (first + ".").indexOf('.'));
            } else if (declared.get().sources().size() == 1) {
                source = first;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(source);
    }

    private static FieldValue text(FieldValue value, FieldType type) {
        return switch (value) {
            case FieldValue.StringValue(String base64) when type == Primitive.RAW ->
                    new FieldValue.StringValue(
                            new String(
                                    Base64.getMimeDecoder().decode(base64),
                                    StandardCharsets.UTF_8));
            case FieldValue.ArrayValue(var elements)
                    when type instanceof FieldType.ArrayOf(var of) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(element -> text(element, of)).toList());
            case FieldValue.MapValue(var entries)
                    when type instanceof FieldType.MapOf(_, var of) -> {
                var texts = new LinkedHashMap<>(entries);
                texts.replaceAll((_, each) -> text(each, of));
                yield new FieldValue.MapValue(texts);
            }
            case FieldValue.StructValue(var members)
                    when type instanceof FieldType.StructOf(_, var fields) -> {
                var texts = new LinkedHashMap<>(members);
                for (Field field : fields) {
                    texts.computeIfPresent(field.name(), (_, member) -> text(member, field.type()));
                }
                yield new FieldValue.StructValue(texts);
            }
            default -> value;
        };
    }
}
