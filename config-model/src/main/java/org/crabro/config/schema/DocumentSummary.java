package org.crabro.config.schema;

import java.util.List;

/** A named choice of fields to return. */
public record DocumentSummary(String name, List<SummaryField> fields) {
    public DocumentSummary {
        fields = List.copyOf(fields);
    }

    /**
     * A field of a summary.
     *
     * @param name what it is called in results
     * @param source the field whose value it shows
     */
    public record SummaryField(String name, String source) {}
}
