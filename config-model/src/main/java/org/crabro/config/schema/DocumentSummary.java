package org.crabro.config.schema;

import java.util.List;
import java.util.Optional;

/**
 * A named selection of fields to return.
 *
 * @param omitsFeatures whether hits come without the summary features of their rank profile
 */
public record DocumentSummary(String name, List<SummaryField> fields, boolean omitsFeatures) {
    public DocumentSummary {
        fields = List.copyOf(fields);
    }

    /** A summary with summary features. */
    public DocumentSummary(String name, List<SummaryField> fields) {
        this(name, fields, false);
    }

    /** How a value is transformed before it is shown. */
    public enum Transform {
        /** The value is shown unchanged. */
        NONE,
        /** The whole text, with the words of the query marked. */
        BOLDED,
        /** Parts of the text around the words of the query, which are marked. */
        DYNAMIC,
        /** The words that the text is cut into, as they are compared. */
        TOKENS,
        /** Those elements that the query looks for. */
        MATCHED_ELEMENTS,
        /** The elements whose indexes, from 0, are labels of a feature of the hit. */
        SELECTED_ELEMENTS
    }

    /**
     * A field of a summary.
     *
     * @param name of the field in results
     * @param sources the fields whose values it shows, at least one; several are joined to one text
     * @param selector the feature that selects elements, as rank profiles name it
     */
    public record SummaryField(
            String name, List<String> sources, Transform transform, Optional<String> selector) {
        public SummaryField {
            sources = List.copyOf(sources);
            if (selector.isPresent() != (transform == Transform.SELECTED_ELEMENTS)) {
                throw new IllegalArgumentException(transform + " by " + selector);
            }
        }

        /** A field that shows another as it is. */
        public SummaryField(String name, String source) {
            this(name, List.of(source), Transform.NONE, Optional.empty());
        }
    }
}
