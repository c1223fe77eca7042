package org.crabro.container.query;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Asks for documents that are like another one.
 *
 * @param document the other one: its id, or its value of {@code idField}
 * @param idField the field whose value names it; nothing where {@code document} is a document id
 * @param field the field that holds vectors
 * @param input the query input that ranking sees the other document's vector as; nothing where the
 *     rank profile has only one that fits
 * @param excludesSource whether the other document is left out
 * @param targetHits how many of the nearest are wanted; nothing for as many as are shown
 */
public record RelatedTo(
        String document,
        Optional<String> idField,
        String field,
        Optional<String> input,
        boolean excludesSource,
        OptionalInt targetHits) {
    private static final String DEFAULT_ID_FIELD = "id";

    private static final String DOCUMENT_ID = "id:";

    /**
     * Returns what a request asks for, if it does.
     *
     * @throws IllegalQueryException if it does not say which field holds vectors
     */
    static Optional<RelatedTo> of(Parameters parameters) {
        Optional<String> document = parameters.text(Parameter.RELATED_ID).map(String::strip);
        if (document.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> idField = parameters.text(Parameter.RELATED_ID_FIELD);
        if (idField.isEmpty() && !document.get().startsWith(DOCUMENT_ID)) {
            idField = Optional.of(DEFAULT_ID_FIELD);
        }
        return Optional.of(
                new RelatedTo(
                        document.get(),
                        idField,
                        parameters
                                .text(Parameter.RELATED_FIELD)
                                .orElseThrow(() ->
                                        new IllegalQueryException(
                                                ErrorCode.ILLEGAL_QUERY,
                                                "relatedTo.id needs relatedTo.embeddingField, the"
                                                        + " field that holds vectors")),
                        parameters.text(Parameter.RELATED_INPUT),
                        parameters.truth(Parameter.RELATED_EXCLUDES_SOURCE, true),
                        parameters.count(Parameter.RELATED_TARGET_HITS)));
    }
}
