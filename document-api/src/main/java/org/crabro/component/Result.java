package org.crabro.component;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of a query. Immutable.
 *
 * @param hits in the returned order
 * @param totalCount how many documents matched
 * @param coverage how much was searched; empty if nothing was
 * @param errors problems; if there are hits, the answer contains both
 * @param origin internal data of the server's results, such as groups; a searcher passes it on
 *     unchanged. Empty in results that a searcher creates
 */
public record Result(
        List<Hit> hits,
        long totalCount,
        Optional<Coverage> coverage,
        List<QueryError> errors,
        Optional<Object> origin) {
    /**
     * The share of the documents that was searched.
     *
     * @param documents the number of searched documents
     * @param total the number of all documents in scope
     * @param isFull whether all documents were searched
     */
    public record Coverage(long documents, long total, boolean isFull) {}

    public Result {
        hits = List.copyOf(hits);
        errors = List.copyOf(errors);
    }

    /** Returns a result that a searcher creates, with hits only. */
    public static Result of(List<Hit> hits) {
        return new Result(hits, hits.size(), Optional.empty(), List.of(), Optional.empty());
    }

    /** Returns a result with an error only. */
    public static Result failed(QueryError error) {
        return new Result(List.of(), 0, Optional.empty(), List.of(error), Optional.empty());
    }

    /** Returns the same result with other hits. */
    public Result withHits(List<Hit> others) {
        return new Result(others, totalCount, coverage, errors, origin);
    }

    /** Returns the same result with another count of matching documents. */
    public Result withTotalCount(long other) {
        return new Result(hits, other, coverage, errors, origin);
    }

    /** Returns the same result with an additional error. */
    public Result withError(QueryError error) {
        var all = new ArrayList<>(errors);
        all.add(error);
        return new Result(hits, totalCount, coverage, all, origin);
    }
}
