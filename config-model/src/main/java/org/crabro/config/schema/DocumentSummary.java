package org.crabro.config.schema;

import java.util.List;

/**
 * A named selection of fields to return.
 *
 * @param omitsFeatures whether hits come without the summary features of their rank profile
 */
public record DocumentSummary(String name, List<SummaryField> fields, boolean omitsFeatures) {
    /**
     * The name of the summary with the fields of the default one, whose long texts are shown as the
     * parts that match. Each schema has it.
     */
    public static final String SNIPPETS = "snippets";

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
        TOKENS
    }

    /** The elements that are shown; each of them is transformed. */
    public sealed interface Elements {
        /** All elements. */
        record All() implements Elements {}

        /** Those elements that the query looks for. */
        record Matched() implements Elements {}

        /**
         * The elements whose indexes, from 0, are labels of a feature of the hit.
         *
         * @param feature as rank profiles name it
         */
        record SelectedBy(String feature) implements Elements {}
    }

    /**
     * A field of a summary.
     *
     * @param name of the field in results
     * @param sources the fields, or parts of fields by path, whose values it shows, at least one;
     *     several, and parts, are joined to one text
     * @param filtered whether the sources are parts of one field, whose value is shown with these
     *     parts only instead
     */
    public record SummaryField(
            String name,
            List<String> sources,
            Transform transform,
            Elements elements,
            boolean filtered) {
        public SummaryField {
            sources = List.copyOf(sources);
        }

        /** A field that shows whole values, or joined ones. */
        public SummaryField(
                String name, List<String> sources, Transform transform, Elements elements) {
            this(name, sources, transform, elements, false);
        }

        /** A field that shows all elements. */
        public SummaryField(String name, List<String> sources, Transform transform) {
            this(name, sources, transform, new Elements.All());
        }

        /** A field that shows another as it is. */
        public SummaryField(String name, String source) {
            this(name, List.of(source), Transform.NONE);
        }
    }
}
