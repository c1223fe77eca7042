package org.crabro.config.schema;

import java.util.Map;

/**
 * The document summaries of a type.
 *
 * @param byName a compiled schema always has {@code default}
 * @param snippets how texts are shortened for summaries
 * @param rawAsBase64 whether bytes are shown in base64 instead of as text
 * @param indexed whether the type has mode index. Summaries then show no parts of fields, and a
 *     term that is part of a word marks like a prefix.
 */
public record SummaryRules(
        Map<String, DocumentSummary> byName,
        SnippetRules snippets,
        boolean rawAsBase64,
        boolean indexed) {
    /** No summaries, and the default rules for snippets. */
    public static final SummaryRules NONE = new SummaryRules(Map.of(), SnippetRules.DEFAULT);

    public SummaryRules {
        byName = Map.copyOf(byName);
    }

    /** Rules of a type in mode streaming that show bytes in base64. */
    public SummaryRules(Map<String, DocumentSummary> byName, SnippetRules snippets) {
        this(byName, snippets, true, false);
    }

    /** Returns the rules of the type in a content cluster. */
    SummaryRules in(SnippetRules others, boolean isIndexed) {
        return new SummaryRules(byName, others, rawAsBase64, isIndexed);
    }
}
