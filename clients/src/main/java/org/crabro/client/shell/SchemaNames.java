package org.crabro.client.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The names of an application that a query can contain.
 *
 * @param types by name, in alphabetical order
 */
record SchemaNames(Map<String, Type> types) {
    /** No names, if the server does not tell them. */
    static final SchemaNames NONE = new SchemaNames(Map.of());

    SchemaNames {
        types = new TreeMap<>(types);
    }

    /**
     * A document type.
     *
     * @param fields with their types, in the order of the schema
     * @param profiles rank profiles with their inputs and the types of these
     */
    record Type(
            List<Field> fields, List<String> fieldsets, Map<String, Map<String, String>> profiles) {
        Type {
            fields = List.copyOf(fields);
            fieldsets = List.copyOf(fieldsets);
            profiles = new TreeMap<>(profiles);
        }
    }

    /** A field and its type. */
    record Field(String name, String type) {}

    /** Reads the answer of a server at {@code /crabro/v1/schemas}. */
    static SchemaNames of(JsonNode answer) {
        var types = new TreeMap<String, Type>();
        for (JsonNode type : answer.path("types")) {
            var fields = new ArrayList<Field>();
            for (JsonNode field : type.path("fields")) {
                fields.add(
                        new Field(
                                field.path("name").asString(""), field.path("type").asString("")));
            }
            var fieldsets = new ArrayList<String>();
            type.path("fieldsets").forEach(each -> fieldsets.add(each.asString("")));
            var profiles = new TreeMap<String, Map<String, String>>();
            for (JsonNode profile : type.path("rankProfiles")) {
                var inputs = new TreeMap<String, String>();
                profile.path("inputs")
                        .properties()
                        .forEach(
                                input -> inputs.put(input.getKey(), input.getValue().asString("")));
                profiles.put(profile.path("name").asString(""), inputs);
            }
            types.put(type.path("name").asString(""), new Type(fields, fieldsets, profiles));
        }
        return new SchemaNames(types);
    }

    /** Returns the names of all fields and fieldsets, each once. */
    List<String> fields() {
        return types.values().stream()
                .flatMap(type ->
                        java.util.stream.Stream.concat(
                                type.fields().stream().map(Field::name), type.fieldsets().stream()))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the names of all rank profiles, each once. */
    List<String> profiles() {
        return types.values().stream()
                .flatMap(type -> type.profiles().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the names of all inputs of rank profiles, each once. */
    List<String> inputs() {
        return types.values().stream()
                .flatMap(type -> type.profiles().values().stream())
                .flatMap(inputs -> inputs.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
