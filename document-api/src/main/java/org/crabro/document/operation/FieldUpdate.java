package org.crabro.document.operation;

import java.util.List;

/**
 * One change of a field or of a part of it.
 *
 * @param path from the value of the field to the changed part; empty for the whole field
 */
public record FieldUpdate(String field, List<UpdateStep> path, FieldChange change) {
    public FieldUpdate {
        path = List.copyOf(path);
    }

    /** Returns a change to the whole field. */
    public static FieldUpdate of(String field, FieldChange change) {
        return new FieldUpdate(field, List.of(), change);
    }
}
