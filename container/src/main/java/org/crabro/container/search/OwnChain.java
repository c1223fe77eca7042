package org.crabro.container.search;

import java.util.List;
import org.crabro.component.Searcher;

/**
 * A chain with searchers of an application's own.
 *
 * @param steps in the order in which they see a query
 * @param goesOn whether what is built in comes behind them; otherwise nothing is found there
 */
public record OwnChain(String id, List<Step> steps, boolean goesOn) {
    public OwnChain {
        steps = List.copyOf(steps);
    }

    /**
     * A searcher.
     *
     * @param id as services.xml gives it
     */
    public record Step(String id, Searcher searcher) {}

    /** Returns what the chain consists of, for people. */
    String shown() {
        return String.join(", ", steps.stream().map(Step::id).toList()) + (goesOn ? ", vespa" : "");
    }
}
