package org.crabro.component;

/**
 * A component between a query and its result. It can answer by itself, pass on the query or other
 * queries any number of times, and change the results.
 *
 * {@snippet :
 * public final class Promoted implements Searcher {
 *     @Override
 *     public Result search(Query query, Execution execution) {
 *         Result found = execution.search(query.withFilter("price < 100"));
 *         return found.withHits(found.hits().stream().filter(this::isShown).toList());
 *     }
 * }
 * }
 *
 * <p>Called by many threads at once, each a virtual thread that may block. Time runs: see {@link
 * Query#timeLeft()}. What it throws fails the query with a message that names chain and searcher,
 * and no other query: {@link InvalidQueryException} with status 400, everything else with 500.
 */
public interface Searcher extends Component {
    /** Answers {@code query}, with or without the next searchers of the chain. */
    Result search(Query query, Execution execution);

    /** The rest of the chain. Good for this query alone; safe for use by many threads. */
    interface Execution {
        /**
         * Answers {@code query}. What goes wrong is among the errors of the result; nothing is
         * thrown. At the end of a chain that does not inherit {@code vespa} nothing is found.
         */
        Result search(Query query);
    }
}
