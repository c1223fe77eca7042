package org.crabro.ranking.type;

/** Scores over all fields that the query's terms search, or over those that are named. */
public enum NativeFeature {
    /** All of the others together. */
    RANK("nativeRank"),
    /** How early and how often terms occur in texts. */
    FIELD_MATCH("nativeFieldMatch"),
    /** How close terms are to each other in texts. */
    PROXIMITY("nativeProximity"),
    /** How much elements of attributes weigh that terms are found in. */
    ATTRIBUTE_MATCH("nativeAttributeMatch"),
    /** The sum of what elements weigh, by what terms do. */
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
