package org.crabro.protocol.search;

import java.util.List;

/**
 * The returned fields of hits.
 *
 * @param documentSummary a document summary of the schema; {@code default} always exists
 * @param fields the returned fields of the summary; empty returns all
 * @param besides additional fields of the document, independent of the summary
 * @param marking the highlighting of matches in the fields
 */
public record SummarySettings(
        String documentSummary, List<String> fields, List<String> besides, Marking marking) {
    /** All fields of the default summary. */
    public static final SummarySettings DEFAULT = new SummarySettings("default", List.of());

    public SummarySettings {
        fields = List.copyOf(fields);
        besides = List.copyOf(besides);
    }

    /** A summary with default highlighting. */
    public SummarySettings(String documentSummary, List<String> fields) {
        this(documentSummary, fields, List.of(), Marking.DEFAULT);
    }

    /** Returns the same settings with additional fields of the document. */
    public SummarySettings withBesides(List<String> others) {
        return new SummarySettings(documentSummary, fields, others, marking);
    }

    /** Returns the same settings with another highlighting. */
    public SummarySettings with(Marking other) {
        return new SummarySettings(documentSummary, fields, besides, other);
    }
}
