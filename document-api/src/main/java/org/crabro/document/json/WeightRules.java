package org.crabro.document.json;

/**
 * What becomes of elements of a weighted set whose weight is updated.
 *
 * @param createsMissing whether one that is not there begins with weight 0
 * @param removesZero whether one goes whose weight comes to 0
 */
public record WeightRules(boolean createsMissing, boolean removesZero) {
    /** Those of a weighted set of which the schema says nothing. */
    public static final WeightRules NONE = new WeightRules(false, false);
}
