package org.crabro.container.search;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SearchHit;

/** Decodes fields of bytes from base64 to text. */
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
        shown.replaceAll((name, value) -> isRaw(name, schema, summary) ? text(value) : value);
        return hit.withSummary(shown);
    }

    private static boolean isRaw(String name, Schema schema, String summary) {
        String source =
                Optional.ofNullable(schema.summaries().byName().get(summary))
                        .map(DocumentSummary::fields)
                        .stream()
                        .flatMap(fields -> fields.stream())
                        .filter(field -> field.name().equals(name))
                        .map(SummaryField::sources)
                        .map(sources -> sources.getFirst())
                        .findFirst()
                        .orElse(name);
        Optional<SchemaField> field = schema.field(source);
        return field.isPresent() && isRaw(field.get().field().type());
    }

    private static boolean isRaw(FieldType type) {
        return type == Primitive.RAW
                || (type instanceof FieldType.ArrayOf(var element) && element == Primitive.RAW);
    }

    private static FieldValue text(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String base64) ->
                    new FieldValue.StringValue(
                            new String(
                                    Base64.getMimeDecoder().decode(base64),
                                    StandardCharsets.UTF_8));
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(elements.stream().map(RawFields::text).toList());
            case FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _,
                    FieldValue.WeightedSetValue _,
                    FieldValue.MapValue _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    value;
        };
    }
}
