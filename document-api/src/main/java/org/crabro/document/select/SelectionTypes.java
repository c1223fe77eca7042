package org.crabro.document.select;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.document.DocumentType;
import org.crabro.document.time.TimeParts;

/**
 * The document types that a selection may name.
 *
 * @param types by name
 * @param ancestors by type, the names of its direct and indirect ancestors; types without ancestors
 *     may be missing
 * @param imports by type, the names of fields imported from other documents. A selection may name
 *     them, but they have no value. If they are not given, these names are unknown, as in
 *     conditions of writes
 * @param times by type, the fields whose numbers are times
 */
public record SelectionTypes(
        Map<String, DocumentType> types,
        Map<String, Set<String>> ancestors,
        Map<String, Set<String>> imports,
        Map<String, Map<String, TimeParts>> times) {
    public SelectionTypes {
        types = Map.copyOf(types);
        ancestors = Map.copyOf(ancestors);
        imports = Map.copyOf(imports);
        times = Map.copyOf(times);
    }

    /** Types without times. */
    public SelectionTypes(
            Map<String, DocumentType> types,
            Map<String, Set<String>> ancestors,
            Map<String, Set<String>> imports) {
        this(types, ancestors, imports, Map.of());
    }

    /** Types without imported fields. */
    public SelectionTypes(Map<String, DocumentType> types, Map<String, Set<String>> ancestors) {
        this(types, ancestors, Map.of());
    }

    /** Returns types without ancestors. */
    public static SelectionTypes of(Iterable<DocumentType> types) {
        var byName = new TreeMap<String, DocumentType>();
        types.forEach(type -> byName.put(type.name(), type));
        return new SelectionTypes(byName, Map.of());
    }

    /**
     * Returns the same types with times.
     *
     * @param times by type, the fields whose numbers are times
     */
    public SelectionTypes withTimes(Map<String, Map<String, TimeParts>> times) {
        return new SelectionTypes(types, ancestors, imports, times);
    }

    TimeParts times(String type, String field) {
        return times.getOrDefault(type, Map.of()).getOrDefault(field, TimeParts.NONE);
    }

    Optional<DocumentType> type(String name) {
        return Optional.ofNullable(types.get(name));
    }

    boolean isImported(String type, String field) {
        return imports.getOrDefault(type, Set.of()).contains(field);
    }

    /** Returns whether {@code type} is {@code ancestor} or inherits from it. */
    boolean isA(String type, String ancestor) {
        return type.equals(ancestor) || ancestors.getOrDefault(type, Set.of()).contains(ancestor);
    }
}
