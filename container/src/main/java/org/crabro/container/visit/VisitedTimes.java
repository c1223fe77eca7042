package org.crabro.container.visit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeParts;
import org.crabro.protocol.visit.VisitForm;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes times as texts into pages of a visit, which nodes write with numbers. A text is at most 30
 * bytes longer than its number, so a page with many times becomes larger by this factor alone.
 */
final class VisitedTimes {
    /** Leaves numbers. */
    static final VisitedTimes NONE = new VisitedTimes(Map.of());

    /** The pages were written by nodes of this cluster, so their sizes are not limited again. */
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxNestingDepth(Integer.MAX_VALUE)
                                    .build())
                    .streamWriteConstraints(
                            StreamWriteConstraints.builder()
                                    .maxNestingDepth(Integer.MAX_VALUE)
                                    .build())
                    .build();

    /** A field with times. */
    private record TimedField(FieldType type, TimeParts times) {}

    /** By the document type and the field. */
    private final Map<String, Map<String, TimedField>> fields;

    private VisitedTimes(Map<String, Map<String, TimedField>> fields) {
        this.fields = fields;
    }

    /** Returns the times of document types; those without times are left out. */
    static VisitedTimes of(List<Schema> schemas) {
        Map<String, Map<String, TimedField>> byType = new HashMap<>();
        for (Schema schema : schemas) {
            Map<String, TimedField> timed = new HashMap<>();
            schema.times()
                    .forEach((name, times) ->
                            schema.documentType()
                                    .field(name)
                                    .ifPresent(field ->
                                            timed.put(name, new TimedField(field.type(), times))));
            if (!timed.isEmpty()) {
                byType.put(schema.documentType().name(), timed);
            }
        }
        return new VisitedTimes(byType);
    }

    /** Returns a page in the same style with times as texts. */
    ByteBuffer shown(ByteBuffer page, VisitForm.Style style) {
        if (fields.isEmpty() || !page.hasRemaining()) {
            return page;
        }
        boolean isList = style == VisitForm.Style.LIST;
        // The documents of a list have commas between them, and brackets elsewhere.
        byte[] text = new byte[page.remaining() + (isList ? 2 : 0)];
        page.duplicate().get(text, isList ? 1 : 0, page.remaining());
        if (isList) {
            text[0] = '[';
            text[text.length - 1] = ']';
        }
        var out = new ByteArrayOutputStream(text.length);
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (isList) {
                in.nextToken();
            }
            boolean isFirst = true;
            while (in.nextToken() == JsonToken.START_OBJECT) {
                if (isList && !isFirst) {
                    out.write(',');
                }
                try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
                    document(in, json);
                }
                if (!isList) {
                    out.write('\n');
                }
                isFirst = false;
            }
        }
        return ByteBuffer.wrap(out.toByteArray());
    }

    private void document(JsonParser in, JsonGenerator json) {
        Map<String, TimedField> timed = Map.of();
        json.writeStartObject();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            json.writeName(name);
            JsonToken value = in.nextToken();
            if (value == JsonToken.VALUE_STRING && (name.equals("put") || name.equals("id"))) {
                timed = timed(in.getString());
            }
            if (name.equals("fields") && value == JsonToken.START_OBJECT) {
                json.writeStartObject();
                while (in.nextToken() != JsonToken.END_OBJECT) {
                    String field = in.currentName();
                    json.writeName(field);
                    in.nextToken();
                    TimedField shown = timed.get(field);
                    if (shown == null) {
                        copy(in, json);
                    } else {
                        value(in, json, shown.type(), shown.times());
                    }
                }
                json.writeEndObject();
            } else {
                copy(in, json);
            }
        }
        json.writeEndObject();
    }

    private Map<String, TimedField> timed(String id) {
        return fields.getOrDefault(DocumentId.parse(id).documentType(), Map.of());
    }

    private static void value(JsonParser in, JsonGenerator json, FieldType type, TimeParts times) {
        JsonToken token = in.currentToken();
        if (times.isEmpty()) {
            copy(in, json);
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            Optional<String> text =
                    times.kind().flatMap((TimeKind kind) -> kind.text(in.getLongValue()));
            if (text.isPresent()) {
                json.writeString(text.get());
            } else {
                copy(in, json);
            }
        } else if (token == JsonToken.START_ARRAY) {
            json.writeStartArray();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                if (type instanceof FieldType.MapOf
                        && in.currentToken() == JsonToken.START_OBJECT) {
                    // Entries with the members key and value.
                    members(in, json, type, times, true);
                } else {
                    value(in, json, element(type), times);
                }
            }
            json.writeEndArray();
        } else if (token == JsonToken.START_OBJECT) {
            members(in, json, type, times, false);
        } else {
            copy(in, json);
        }
    }

    private static void members(
            JsonParser in, JsonGenerator json, FieldType type, TimeParts times, boolean isEntry) {
        json.writeStartObject();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            json.writeName(name);
            in.nextToken();
            boolean isKey = type instanceof FieldType.MapOf && !isEntry;
            value(in, json, member(type, name), times.part(isKey ? "value" : name));
        }
        json.writeEndObject();
    }

    private static FieldType element(FieldType type) {
        return type instanceof FieldType.ArrayOf(FieldType element) ? element : type;
    }

    private static FieldType member(FieldType type, String name) {
        return switch (type) {
            case FieldType.MapOf(FieldType _, FieldType value) -> value;
            case FieldType.StructOf(String _, List<Field> members) ->
                    members.stream()
                            .filter(each -> each.name().equals(name))
                            .map(Field::type)
                            .findFirst()
                            .orElse(type);
            default -> type;
        };
    }

    /** Copies a value; numbers keep their digits. */
    private static void copy(JsonParser in, JsonGenerator json) {
        int depth = 0;
        while (true) {
            JsonToken token = in.currentToken();
            if (token.isNumeric()) {
                json.writeNumber(in.getString());
            } else {
                json.copyCurrentEvent(in);
            }
            if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            }
            if (depth == 0) {
                return;
            }
            in.nextToken();
        }
    }
}
