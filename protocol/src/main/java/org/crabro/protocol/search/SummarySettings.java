package org.crabro.protocol.search;

import java.util.List;

/**
 * Which fields a hit is returned with.
 *
 * @param documentSummary a document summary of the schema; {@code default} always exists
 * @param fields only these of it, or all where empty
 * @param besides fields of the document that hits bring besides, whether they are shown or not
 * @param marking how what was found is marked in them
 */
public record SummarySettings(
        String documentSummary, List<String> fields, List<String> besides, Marking marking) {
    /** The default summary, whole. */
    public static final SummarySettings DEFAULT = new SummarySettings("default", List.of());

    public SummarySettings {
        fields = List.copyOf(fields);
        besides = List.copyOf(besides);
    }

    /** A summary that is marked as usual. */
    public SummarySettings(String documentSummary, List<String> fields) {
        this(documentSummary, fields, List.of(), Marking.DEFAULT);
    }

    /** Returns the same with fields of the document besides. */
    public SummarySettings withBesides(List<String> others) {
        return new SummarySettings(documentSummary, fields, others, marking);
    }

    /** Returns the same, marked otherwise. */
    public SummarySettings with(Marking other) {
        return new SummarySettings(documentSummary, fields, besides, other);
    }
}
