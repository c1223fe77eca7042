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
 * <p>Called by many threads at once, each a virtual thread that may block. The query has a timeout:
 * see {@link Query#timeLeft()}. If a searcher throws an exception, only that query fails, with a
 * message that names the chain and the searcher: {@link InvalidQueryException} with status 400, any
 * other with 500.
 */
public interface Searcher extends Component {
    /** Answers {@code query}, with or without the next searchers of the chain. */
    Result search(Query query, Execution execution);

    /** The rest of the chain. Valid for this query only. Safe for use by many threads. */
    interface Execution {
        /**
         * Answers {@code query}. Failures are among the errors of the result; nothing is thrown. At
         * the end of a chain that does not inherit {@code vespa}, the result is empty.
         */
        Result search(Query query);
    }
}
