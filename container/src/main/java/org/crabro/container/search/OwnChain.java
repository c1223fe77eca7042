package org.crabro.container.search;

import java.util.List;
import org.crabro.component.Searcher;

/**
 * A search chain with searchers of the application.
 *
 * @param steps in the order in which they see a query
 * @param goesOn whether the built-in chain follows; otherwise the end of the chain returns no hits
 */
public record OwnChain(String id, List<Step> steps, boolean goesOn) {
    public OwnChain {
        steps = List.copyOf(steps);
    }

    /**
     * A searcher.
     *
     * @param id the id in services.xml
     */
    public record Step(String id, Searcher searcher) {}

    /** Returns the searchers of the chain for the trace. */
    String shown() {
        return String.join(", ", steps.stream().map(Step::id).toList()) + (goesOn ? ", vespa" : "");
    }
}
