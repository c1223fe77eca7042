package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.TraceLine;
import org.crabro.protocol.search.QueryCost;

/**
 * What a query comes to.
 *
 * @param totalCount how many documents matched
 * @param coverage nothing where nobody answered
 * @param cost what the content nodes spent, all together
 * @param trace for people, empty unless asked for
 * @param groups what the query's groupings come to, in its order
 * @param next what to say as {@code after} for the hits behind these
 */
public record SearchResult(
        List<ResultHit> hits,
        long totalCount,
        Optional<ResultCoverage> coverage,
        QueryCost cost,
        List<ResultError> errors,
        List<TraceLine> trace,
        Presentation presentation,
        List<ResultGroups> groups,
        Optional<String> next) {
    private static final int OK = 200;
    private static final int INTERNAL_ERROR = 500;

    public SearchResult {
        hits = List.copyOf(hits);
        errors = List.copyOf(errors);
        trace = List.copyOf(trace);
        groups = List.copyOf(groups);
    }

    /** Returns the same result with other hits. */
    public SearchResult withHits(List<ResultHit> others, long newTotalCount) {
        return new SearchResult(
                others, newTotalCount, coverage, cost, errors, trace, presentation, groups, next);
    }

    /** Returns the result of a query that failed before anyone was asked. */
    public static SearchResult failed(ResultError error) {
        return failed(error, Presentation.DEFAULT);
    }

    /** Returns the same, shown as the request says. */
    static SearchResult failed(ResultError error, Presentation presentation) {
        return new SearchResult(
                List.of(),
                0,
                Optional.empty(),
                QueryCost.NONE,
                List.of(error),
                List.of(),
                presentation,
                List.of(),
                Optional.empty());
    }

    /**
     * Returns the HTTP status. An answer that has hits or groups, or nothing but warnings, is one,
     * unless an error says that it must not be; otherwise the first error that has a status
     * decides.
     */
    public int status() {
        boolean success =
                !hits.isEmpty()
                        || !groups.isEmpty()
                        || errors.stream()
                                .allMatch(error -> error.code() == ErrorCode.SEARCH_WARNING);
        for (ResultError error : errors) {
            OptionalInt status = error.code().status();
            if (status.isPresent() && (!success || error.code().decidesAlone())) {
                return status.getAsInt();
            }
        }
        return success ? OK : INTERNAL_ERROR;
    }
}
