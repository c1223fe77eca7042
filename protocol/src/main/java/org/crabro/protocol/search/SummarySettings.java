package org.crabro.protocol.search;

import java.util.List;

/**
 * Which fields a hit is returned with.
 *
 * @param documentSummary a document summary of the schema; {@code default} always exists
 * @param fields only these of it, or all where empty
 */
public record SummarySettings(String documentSummary, List<String> fields) {
    /** The default summary, whole. */
    public static final SummarySettings DEFAULT = new SummarySettings("default", List.of());

    public SummarySettings {
        fields = List.copyOf(fields);
    }
}
