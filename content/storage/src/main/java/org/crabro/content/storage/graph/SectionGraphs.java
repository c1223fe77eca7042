package org.crabro.content.storage.graph;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The graphs of the rows of a section, by field. Immutable. */
public final class SectionGraphs {
    /** No graphs. */
    public static final SectionGraphs NONE = new SectionGraphs(Map.of());

    private final Map<String, StoredGraph> byField;

    private SectionGraphs(Map<String, StoredGraph> byField) {
        this.byField = byField;
    }

    /** Returns these with the graphs of a field. */
    public SectionGraphs with(String field, StoredGraph graph) {
        var all = new TreeMap<>(byField);
        all.put(field, graph);
        return new SectionGraphs(all);
    }

    /** Returns the graphs of a field. */
    public Optional<StoredGraph> of(String field) {
        return Optional.ofNullable(byField.get(field));
    }

    /** Keeps the graphs mapped until {@link #release}; only while they are mapped. */
    void hold() {
        byField.values().forEach(StoredGraph::hold);
    }

    void release() {
        byField.values().forEach(StoredGraph::close);
    }

    /** Returns whether no field has graphs. */
    public boolean isEmpty() {
        return byField.isEmpty();
    }
}
