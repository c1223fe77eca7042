package org.crabro.content.storage.graph;

import java.util.Map;

/** The fields of a document type whose vectors have graphs, by name. */
public record GraphFields(Map<String, GraphField> byName) {
    /** No field: the type is not in mode {@code index}, or it has no such field. */
    public static final GraphFields NONE = new GraphFields(Map.of());

    public GraphFields {
        byName = Map.copyOf(byName);
    }
}
