package org.crabro.config.schema;

import java.util.Map;

/**
 * The document summaries of a type.
 *
 * @param byName a compiled schema always has {@code default}
 * @param snippets how texts are shortened for summaries
 */
public record SummaryRules(Map<String, DocumentSummary> byName, SnippetRules snippets) {
    /** No summaries, and the default rules for snippets. */
    public static final SummaryRules NONE = new SummaryRules(Map.of(), SnippetRules.DEFAULT);

    public SummaryRules {
        byName = Map.copyOf(byName);
    }
}
