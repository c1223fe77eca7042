package org.crabro.component;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A query in a chain of searchers. Immutable: methods that change it return another query, which
 * the searcher passes on.
 *
 * <p>Parameters are the texts of the request and of its query profile. A changed parameter has the
 * same effect as one in the request. The query is parsed at the end of the chain, or earlier if a
 * method needs it. Such a method throws {@link InvalidQueryException} if the query is invalid.
 */
public interface Query {
    /**
     * Returns a parameter, by any of its names.
     *
     * @throws InvalidQueryException if the query profile of the request cannot be used
     */
    Optional<String> property(String name);

    /**
     * Returns all parameters by name.
     *
     * @throws InvalidQueryException if the query profile of the request cannot be used
     */
    Map<String, String> properties();

    /** Returns the same query with another value of a parameter. */
    Query withProperty(String name, String value);

    /**
     * Returns the same query without the values of a parameter from the request and from earlier
     * searchers.
     */
    Query withoutProperty(String name);

    /**
     * Returns the tree of the query with its filters as readable text.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    String tree();

    /**
     * Returns the same query, limited to documents that also meet a condition.
     *
     * @param condition as after {@code where} in YQL, such as {@code price < 100}; words in it
     *     count for ranking unless they are annotated with {@code {ranked: false}}
     */
    Query withFilter(String condition);

    /**
     * Returns the number of requested hits, from a parameter, YQL or a searcher.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    int hits();

    /**
     * Returns the number of hits that are skipped before the requested ones.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    int offset();

    /**
     * Returns the same query with {@code hits} requested hits, regardless of YQL and parameters.
     */
    Query withHits(int hits);

    /**
     * Returns the same query with {@code offset} skipped hits, regardless of YQL and parameters.
     */
    Query withOffset(int offset);

    /**
     * Returns the remaining time; zero or negative after the deadline.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    Duration timeLeft();

    /** Returns the same query with another timeout, counted from the arrival of the request. */
    Query withTimeout(Duration timeout);

    /** Returns the trace level of the request; 0 for no trace. */
    int traceLevel();

    /** Returns the sender of the query. */
    default Caller caller() {
        return Caller.EVERYONE;
    }

    /**
     * Returns a header of the HTTP request, by its name in any case; empty if there is none or it
     * is blank.
     */
    default Optional<String> header(String name) {
        return Optional.empty();
    }

    /** Adds {@code message} to the trace of the answer if the request asks for one. */
    void trace(String message);
}
