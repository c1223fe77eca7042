package org.crabro.config.rules;

import java.util.Map;
import java.util.Optional;

/**
 * The rule bases of a package.
 *
 * @param byName by the names of their files, without the ending
 * @param standard the name of the rule base that queries use if they name none; empty if there is
 *     none
 */
public record RuleBases(Map<String, RuleBase> byName, Optional<String> standard) {
    /** A package without rules. */
    public static final RuleBases NONE = new RuleBases(Map.of(), Optional.empty());

    public RuleBases {
        byName = Map.copyOf(byName);
    }
}
