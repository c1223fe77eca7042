package org.crabro.ranking.type;

import java.util.List;
import java.util.Optional;

/**
 * A feature of how a query's terms match one field of a document. To add a feature, add a constant
 * here. The compiler then lists the places that compute values.
 */
public enum FieldFeature {
    /** How well an attribute's values and the query cover each other. */
    ATTRIBUTE_MATCH(
            "attributeMatch",
            Need.ATTRIBUTE,
            "completeness",
            "queryCompleteness",
            "fieldCompleteness",
            "normalizedWeight",
            "normalizedWeightedWeight",
            "weight",
            "significance",
            "importance",
            "matches",
            "totalWeight",
            "averageWeight",
            "maxWeight"),
    /** The average number of tokens of the field in the searched documents. */
    AVERAGE_FIELD_LENGTH("averageFieldLength", Need.TEXT),
    /** How well the best element is covered. */
    ELEMENT_COMPLETENESS(
            "elementCompleteness",
            Need.TEXT,
            "completeness",
            "fieldCompleteness",
            "queryCompleteness",
            "elementWeight"),
    /** How alike elements and the query are; its outputs are set up by rank properties. */
    ELEMENT_SIMILARITY("elementSimilarity", Need.TEXT, "default"),
    /** How many tokens the field has. */
    FIELD_LENGTH("fieldLength", Need.SEARCHABLE),
    /** How well the segments of adjacent terms fit the query. */
    FIELD_MATCH(
            "fieldMatch",
            Need.TEXT,
            "score",
            "completeness",
            "queryCompleteness",
            "fieldCompleteness",
            "orderness",
            "relatedness",
            "proximity",
            "absoluteProximity",
            "unweightedProximity",
            "earliness",
            "longestSequenceRatio",
            "segmentProximity",
            "occurrence",
            "absoluteOccurrence",
            "weightedOccurrence",
            "weightedAbsoluteOccurrence",
            "significantOccurrence",
            "weight",
            "significance",
            "importance",
            "segments",
            "matches",
            "degradedMatches",
            "outOfOrder",
            "gaps",
            "gapLength",
            "longestSequence",
            "head",
            "tail",
            "segmentDistance"),
    /** How many terms are found. */
    MATCH_COUNT("matchCount", Need.SEARCHABLE),
    /** The sum of the raw scores of terms, such as the closeness of a vector. */
    RAW_SCORE("rawScore", Need.SEARCHABLE),
    /** How alike a text and the query are. */
    TEXT_SIMILARITY(
            "textSimilarity",
            Need.ONE_TEXT,
            "score",
            "proximity",
            "order",
            "queryCoverage",
            "fieldCoverage");

    /** The fields that have the feature. */
    public enum Need {
        /** Any that queries look into. */
        SEARCHABLE,
        /** Text, one or an array of them, with {@code index}. */
        TEXT,
        /** One text with {@code index}. */
        ONE_TEXT,
        /** Values with {@code attribute}. */
        ATTRIBUTE
    }

    private final String text;
    private final Need need;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable copy
    private final List<String> outputs;

    FieldFeature(String text, Need need, String... outputs) {
        this.text = text;
        this.need = need;
        this.outputs = List.of(outputs);
    }

    /** Returns the name in expressions. */
    public String text() {
        return text;
    }

    public Need need() {
        return need;
    }

    /**
     * Returns the names of the outputs, the default one first; empty if there is only one output.
     */
    public List<String> outputs() {
        return outputs;
    }

    /** Returns the output, which can also be the name of the default. */
    Optional<String> output(String asked) {
        if (asked.isEmpty()) {
            return Optional.of(outputs.isEmpty() ? "" : outputs.getFirst());
        }
        boolean hasAny = this == ELEMENT_SIMILARITY;
        return Optional.of(asked).filter(name -> hasAny || outputs.contains(name));
    }

    /** Returns how it is written, for errors. */
    String forms() {
        String form = text + "(field)";
        return outputs.size() < 2
                ? form
                : form + " or one of its outputs: " + String.join(", ", outputs);
    }
}
