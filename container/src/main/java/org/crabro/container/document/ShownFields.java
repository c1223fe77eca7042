package org.crabro.container.document;

import java.util.Map;
import org.crabro.document.Document;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.time.TimeParts;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the fields of a document as JSON.
 *
 * @param set the fields
 * @param withEmpties whether empty texts and collections are shown; an unset one counts as empty
 * @param times the times that are shown as texts, by field
 */
public record ShownFields(
        FieldSet set, TensorFormat format, boolean withEmpties, Map<String, TimeParts> times) {
    public ShownFields {
        times = Map.copyOf(times);
    }

    /** Writes the member {@code fields}. */
    public void write(JsonGenerator json, Document document) {
        json.writeObjectPropertyStart("fields");
        for (Field field : set.fields()) {
            FieldValue value = document.fields().get(field.name());
            if (value != null && FieldValueWriter.isShown(field.type(), value)) {
                json.writeName(field.name());
                FieldValueWriter.write(
                        json,
                        times.getOrDefault(field.name(), TimeParts.NONE).shown(value),
                        format);
            } else if (withEmpties) {
                writeEmpty(json, field);
            }
        }
        json.writeEndObject();
    }

    private static void writeEmpty(JsonGenerator json, Field field) {
        switch (field.type()) {
            case FieldType.Primitive primitive -> {
                if (primitive.stored() == FieldType.Primitive.STRING) {
                    json.writeStringProperty(field.name(), "");
                }
            }
            case FieldType.ArrayOf _ -> {
                json.writeArrayPropertyStart(field.name());
                json.writeEndArray();
            }
            case FieldType.WeightedSetOf _, FieldType.MapOf _ -> {
                json.writeObjectPropertyStart(field.name());
                json.writeEndObject();
            }
            case FieldType.StructOf _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> {
                // An unset field of these types has no empty value.
            }
        }
    }
}
