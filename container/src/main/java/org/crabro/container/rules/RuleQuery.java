package org.crabro.container.rules;

import java.util.Map;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/**
 * A query as rules see it.
 *
 * @param parameters of the request, by name
 * @param defaultIndex the field of words without a label
 * @param together the operator between words in the grammar of the request
 * @param settings of words that rules produce
 * @param maxItems a query with more leaves is rejected
 */
public record RuleQuery(
        QueryNode tree,
        Map<String, String> parameters,
        String defaultIndex,
        RuleOperator together,
        TermSettings settings,
        int maxItems) {}
