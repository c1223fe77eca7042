package org.crabro.config.schema;

import java.util.List;
import java.util.Optional;

/**
 * A named choice of fields to return.
 *
 * @param omitsFeatures whether hits come without the summary features of their rank profile
 */
public record DocumentSummary(String name, List<SummaryField> fields, boolean omitsFeatures) {
    public DocumentSummary {
        fields = List.copyOf(fields);
    }

    /** Fields with what else hits have. */
    public DocumentSummary(String name, List<SummaryField> fields) {
        this(name, fields, false);
    }

    /** What is made of values before they are shown. */
    public enum Transform {
        /** Nothing. */
        NONE,
        /** Words that the query looks for are marked in the whole text. */
        BOLDED,
        /** Parts of the text around the words that the query looks for, which are marked. */
        DYNAMIC,
        /** The words that the text is cut into, as they are compared. */
        TOKENS,
        /** Those elements that the query looks for. */
        MATCHED_ELEMENTS,
        /** Those elements whose numbers, from 0 on, are labels of a feature of the hit. */
        SELECTED_ELEMENTS
    }

    /**
     * A field of a summary.
     *
     * @param name what it is called in results
     * @param sources the fields whose values it shows, at least one; several become one text
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
