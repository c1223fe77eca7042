package org.crabro.config.rules;

import java.util.List;

/**
 * A rule: where its condition matches, it produces words.
 *
 * @param replaces whether the products replace the matched words; otherwise they are added
 * @param products in their order; none removes the matched words
 * @param text the rule as written, in one line, for traces
 */
public record SemanticRule(
        RuleCondition condition, boolean replaces, List<RuleProduct> products, String text) {
    public SemanticRule {
        products = List.copyOf(products);
    }
}
