package org.crabro.ranking.type;

/** Scores over all fields that the query's terms search, or over those that are named. */
public enum NativeFeature {
    /** All of the others together. */
    RANK("nativeRank"),
    /** How early and how often terms occur in texts. */
    FIELD_MATCH("nativeFieldMatch"),
    /** How close terms are to each other in texts. */
    PROXIMITY("nativeProximity"),
    /** The weights of the attribute elements that terms match. */
    ATTRIBUTE_MATCH("nativeAttributeMatch"),
    /** The sum of the weights of matched elements, multiplied by the weights of terms. */
    DOT_PRODUCT("nativeDotProduct");

    private final String text;

    NativeFeature(String text) {
        this.text = text;
    }

    /** Returns the name in expressions. */
    public String text() {
        return text;
    }
}
