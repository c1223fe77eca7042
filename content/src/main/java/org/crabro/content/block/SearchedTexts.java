package org.crabro.content.block;

import java.util.Map;
import java.util.Optional;
import org.crabro.text.Folding;

/**
 * Which fields of a document type are searched word by word, and how their words are folded. It is
 * the active schema's; rows of an older version of the type are written as it says too.
 *
 * @param foldings by field
 */
public record SearchedTexts(Map<String, Folding> foldings) {
    /** No field, or not known: rows may be written before a schema is active. */
    public static final SearchedTexts NONE = new SearchedTexts(Map.of());

    public SearchedTexts {
        foldings = Map.copyOf(foldings);
    }

    /** Returns how words of {@code field} are folded; nothing where it is not searched by words. */
    public Optional<Folding> folding(String field) {
        return Optional.ofNullable(foldings.get(field));
    }
}
