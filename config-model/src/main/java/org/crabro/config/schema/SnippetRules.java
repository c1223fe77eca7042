package org.crabro.config.schema;

import java.util.Map;

/**
 * How snippets are made in a content cluster.
 *
 * @param usual the settings of fields without rules of their own
 * @param byField by name
 */
public record SnippetRules(SnippetSettings usual, Map<String, SnippetSettings> byField) {
    /** The rules of a package without settings for snippets. */
    public static final SnippetRules DEFAULT = new SnippetRules(SnippetSettings.DEFAULT, Map.of());

    public SnippetRules {
        byField = Map.copyOf(byField);
    }

    /** Returns how snippets of {@code field} are made. */
    public SnippetSettings of(String field) {
        return byField.getOrDefault(field, usual);
    }
}
