package org.crabro.client.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The documents of a server by type and group, as far as the sender may read them.
 *
 * @param types the types of all content clusters
 * @param nearest the name of the group that is most similar to an unknown one
 * @param isComplete false if the server stopped before it had counted everything
 */
public record StoredGroups(List<Type> types, Optional<String> nearest, boolean isComplete) {
    public StoredGroups {
        types = List.copyOf(types);
    }

    /**
     * A document type.
     *
     * @param mode how it is searched, such as {@code streaming}
     * @param documents also those without a group
     * @param groups the largest ones
     */
    public record Type(
            String name,
            String cluster,
            String mode,
            long documents,
            long groupCount,
            List<Group> groups) {
        public Type {
            groups = List.copyOf(groups);
        }

        /** Returns whether queries must say which groups they search. */
        public boolean isStreaming() {
            return mode.equals("streaming");
        }
    }

    /**
     * A group.
     *
     * @param isNumber whether ids have it as {@code n=} and not as {@code g=}
     */
    public record Group(String name, boolean isNumber, long documents) {}

    /** Reads the answer of a server at {@code /crabro/v1/groups}. */
    public static StoredGroups of(JsonNode answer) {
        var types = new ArrayList<Type>();
        for (JsonNode type : answer.path("types")) {
            var groups = new ArrayList<Group>();
            for (JsonNode group : type.path("groups")) {
                boolean isNumber = group.has("number");
                groups.add(
                        new Group(
                                group.path(isNumber ? "number" : "group").asString(""),
                                isNumber,
                                group.path("documents").asLong(0)));
            }
            types.add(
                    new Type(
                            type.path("type").asString(""),
                            type.path("cluster").asString(""),
                            type.path("mode").asString(""),
                            type.path("documents").asLong(0),
                            type.path("groupCount").asLong(0),
                            groups));
        }
        return new StoredGroups(
                types,
                Optional.ofNullable(answer.path("nearest").asString(null)),
                answer.path("complete").asBoolean(true));
    }

    /** Returns the number of documents of all types. */
    public long documents() {
        return types.stream().mapToLong(Type::documents).sum();
    }
}
