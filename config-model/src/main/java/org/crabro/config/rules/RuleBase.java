package org.crabro.config.rules;

import java.util.List;
import java.util.Map;

/**
 * Rules that are used together, those of included files among them. Names are resolved.
 *
 * @param name of the file, without the ending
 * @param words how words of conditions and of queries are compared
 * @param rules in the order of their evaluation
 * @param conditions by name
 */
public record RuleBase(
        String name,
        RuleWords words,
        List<SemanticRule> rules,
        Map<String, RuleCondition> conditions) {
    public RuleBase {
        rules = List.copyOf(rules);
        conditions = Map.copyOf(conditions);
    }
}
