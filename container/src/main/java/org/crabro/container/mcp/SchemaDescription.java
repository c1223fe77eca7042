package org.crabro.container.mcp;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster;
import org.crabro.container.http.JsonReply;
import tools.jackson.core.JsonGenerator;

/** Writes what language models and the console need to know of an application to search it. */
public final class SchemaDescription {
    private SchemaDescription() {}

    /** Returns the content clusters and the schemas of an application as JSON. */
    public static String of(ApplicationModel model) {
        byte[] bytes =
                JsonReply.bytes(json -> {
                    json.writeStartObject();
                    clusters(model.services().contents(), json);
                    schemas(model, json);
                    json.writeEndObject();
                });
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void clusters(Collection<ContentCluster> clusters, JsonGenerator json) {
        json.writeArrayPropertyStart("clusters");
        for (ContentCluster cluster : clusters) {
            json.writeStartObject();
            json.writeStringProperty("name", cluster.id());
            json.writeArrayPropertyStart("types");
            cluster.documents().forEach(document -> json.writeString(document.type()));
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void schemas(ApplicationModel model, JsonGenerator json) {
        Map<String, Schema> byName = new TreeMap<>();
        model.everySchema().forEach(schema -> byName.putIfAbsent(schema.name(), schema));
        json.writeArrayPropertyStart("types");
        byName.values().forEach(schema -> schema(schema, mode(model, schema.name()), json));
        json.writeEndArray();
    }

    /** Returns how the documents of a type are searched in the first cluster that stores them. */
    private static Optional<String> mode(ApplicationModel model, String type) {
        return model.services().contents().stream()
                .flatMap(cluster -> cluster.documents().stream())
                .filter(document -> document.type().equals(type))
                .map(document -> document.mode().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .findFirst();
    }

    private static void schema(Schema schema, Optional<String> mode, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("name", schema.name());
        mode.ifPresent(name -> json.writeStringProperty("mode", name));
        json.writeArrayPropertyStart("fields");
        for (SchemaField field : schema.readable()) {
            json.writeStartObject();
            json.writeStringProperty("name", field.field().name());
            json.writeStringProperty("type", field.field().type().text());
            json.writeBooleanProperty("searchable", field.isSearchable());
            json.writeBooleanProperty("attribute", field.aspects().contains(Aspect.ATTRIBUTE));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("fieldsets");
        new TreeMap<>(schema.names().fieldsets()).keySet().forEach(json::writeString);
        json.writeEndArray();
        json.writeArrayPropertyStart("rankProfiles");
        new TreeMap<>(schema.rankProfiles()).values().forEach(profile -> profile(profile, json));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void profile(RankProfile profile, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("name", profile.name());
        json.writeObjectPropertyStart("inputs");
        new TreeMap<>(profile.inputs())
                .forEach((name, input) ->
                        json.writeStringProperty(
                                "query(" + name + ")",
                                input.isText() ? "string" : input.type().toString()));
        json.writeEndObject();
        json.writeEndObject();
    }
}
