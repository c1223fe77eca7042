package org.crabro.container.query;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Asks for documents that are similar to another one.
 *
 * @param document the id of the other document, or its value of {@code idField}
 * @param idField the field whose value identifies it; empty if {@code document} is a document id
 * @param field the field that contains vectors
 * @param input the query input that receives the vector of the other document; empty if the rank
 *     profile has only one of its type
 * @param excludesSource whether the other document is excluded from the hits
 * @param targetHits the number of nearest neighbors; empty for the number of hits
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
     * Returns the document of a request; empty if the request names none.
     *
     * @throws IllegalQueryException if the request does not name the field that contains vectors
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
