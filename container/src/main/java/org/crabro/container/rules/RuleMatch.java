package org.crabro.container.rules;

import java.util.ArrayList;
import java.util.List;
import org.crabro.container.rules.RuleMatcher.Binding;

/**
 * A match of a condition.
 *
 * @param from the number of the first matched fact
 * @param to the number of the fact after the last one
 * @param bindings the facts that named parts have matched
 */
record RuleMatch(int from, int to, List<Binding> bindings) {
    RuleMatch {
        bindings = List.copyOf(bindings);
    }

    /** Returns the numbers of the facts that the part {@code name} has matched, in order. */
    List<Integer> matched(String name) {
        var matched = new ArrayList<Integer>();
        for (Binding binding : bindings) {
            if (binding.name().equals(name)) {
                for (int fact = binding.from(); fact < binding.to(); fact++) {
                    matched.add(fact);
                }
            }
        }
        return matched.stream().distinct().sorted().toList();
    }
}
