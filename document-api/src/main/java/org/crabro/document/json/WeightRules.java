package org.crabro.document.json;

/**
 * The rules for updates of weights in a weighted set.
 *
 * @param createsMissing whether a missing element is created with weight 0
 * @param removesZero whether an element is removed when its weight becomes 0
 */
public record WeightRules(boolean createsMissing, boolean removesZero) {
    /** The default rules. */
    public static final WeightRules NONE = new WeightRules(false, false);
}
