package org.crabro.component;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A query on its way through a chain. Immutable: what changes it returns another one, to be handed
 * on in its place.
 *
 * <p>Parameters are what the request and its query profile say, as texts; changing one is as if the
 * request had said it. The query is understood when the chain ends, or when it is asked for what
 * only an understood query has; each method that says so throws {@link InvalidQueryException} where
 * it cannot be.
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

    /** Returns the same query without what the request and earlier searchers say of a parameter. */
    Query withoutProperty(String name);

    /**
     * Returns what is looked for, as text for people: the tree of the query with its filters.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    String tree();

    /**
     * Returns the same query for those documents alone that meet a condition, too.
     *
     * @param condition as behind {@code where} in YQL, such as {@code price < 100}; words in it
     *     count for ranking unless they are annotated with {@code {ranked: false}}
     */
    Query withFilter(String condition);

    /**
     * Returns how many hits are wanted, whoever says it: a parameter, YQL, or a searcher.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    int hits();

    /**
     * Returns how many hits are left out before those wanted.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    int offset();

    /** Returns the same query with {@code hits} hits wanted, whatever YQL and parameters say. */
    Query withHits(int hits);

    /** Returns the same query with {@code offset} hits left out, whatever is said otherwise. */
    Query withOffset(int offset);

    /**
     * Returns how much time is left; zero or less once it is over.
     *
     * @throws InvalidQueryException if the query cannot be understood
     */
    Duration timeLeft();

    /** Returns the same query with another timeout, counted from when the request came. */
    Query withTimeout(Duration timeout);

    /** Returns how much the request wants to be told of how it was answered; 0 for nothing. */
    int traceLevel();

    /** Returns who sent the query. */
    default Caller caller() {
        return Caller.EVERYONE;
    }

    /** Tells {@code message} to the request's sender, where it asks for a trace. */
    void trace(String message);
}
