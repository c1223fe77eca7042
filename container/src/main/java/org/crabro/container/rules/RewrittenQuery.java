package org.crabro.container.rules;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.query.QueryNode;

/**
 * The result of all rules.
 *
 * @param tree empty if the rules removed all of it
 * @param settings the parameters that rules set
 * @param trace a line for each rule that matched
 */
public record RewrittenQuery(
        Optional<QueryNode> tree, Map<String, String> settings, List<String> trace) {
    public RewrittenQuery {
        settings = Map.copyOf(settings);
        trace = List.copyOf(trace);
    }
}
