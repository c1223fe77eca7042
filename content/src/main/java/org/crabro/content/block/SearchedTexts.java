package org.crabro.content.block;

import java.util.Map;
import java.util.Optional;
import org.crabro.text.Folding;

/**
 * The fields of a document type that are searched word by word, and the folding of their words. It
 * comes from the active schema, and also applies to rows of an older version of the type.
 *
 * @param foldings by field
 */
public record SearchedTexts(Map<String, Folding> foldings) {
    /** No field, or an unknown type: rows may be written before a schema is active. */
    public static final SearchedTexts NONE = new SearchedTexts(Map.of());

    public SearchedTexts {
        foldings = Map.copyOf(foldings);
    }

    /** Returns the folding of the words of {@code field}; empty if it is not searched by words. */
    public Optional<Folding> folding(String field) {
        return Optional.ofNullable(foldings.get(field));
    }
}
