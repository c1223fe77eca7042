package org.crabro.content.storage.block;

import java.util.Map;
import java.util.Optional;
import org.crabro.text.TextAnalysis;

/**
 * The fields of a document type that are searched word by word, and the analysis of their words. It
 * comes from the active schema, and also applies to rows of an older version of the type.
 *
 * @param analyses by field
 */
public record SearchedTexts(Map<String, TextAnalysis> analyses) {
    /** No field, or an unknown type: rows may be written before a schema is active. */
    public static final SearchedTexts NONE = new SearchedTexts(Map.of());

    public SearchedTexts {
        analyses = Map.copyOf(analyses);
    }

    /** Returns the analysis of the words of {@code field}; empty if it is not searched by words. */
    public Optional<TextAnalysis> analysis(String field) {
        return Optional.ofNullable(analyses.get(field));
    }
}
