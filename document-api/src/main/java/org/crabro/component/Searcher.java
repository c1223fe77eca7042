package org.crabro.component;

/**
 * A step between a query and its result, as a component of one's own: it may answer by itself, hand
 * on the query or another one, as often as it likes, and change what comes back.
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
    /** Answers {@code query}, with the help of those behind this one or without. */
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
