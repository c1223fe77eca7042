package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.protocol.search.QueryCost;

/**
 * The result of a query.
 *
 * @param groups the result of each grouping, in the order of the query
 * @param coverage the share of documents that was searched; empty if no content node replied
 * @param cost the cost of all content nodes together
 * @param output how the result is shown, and its trace
 */
public record SearchResult(
        ResultPage page,
        List<ResultGroups> groups,
        Optional<ResultCoverage> coverage,
        QueryCost cost,
        List<ResultError> errors,
        QueryOutput output) {
    private static final int OK = 200;
    private static final int INTERNAL_ERROR = 500;

    public SearchResult {
        errors = List.copyOf(errors);
        groups = List.copyOf(groups);
    }

    /** Returns the same result with other hits. */
    public SearchResult withHits(List<ResultHit> hits, long totalCount) {
        return new SearchResult(
                new ResultPage(hits, totalCount, page.next(), page.sections(), page.answer()),
                groups,
                coverage,
                cost,
                errors,
                output);
    }

    /** Returns the result of a query that failed before a request to a content node was sent. */
    public static SearchResult failed(ResultError error) {
        return failed(error, Presentation.DEFAULT);
    }

    /** Returns the same result in another presentation. */
    static SearchResult failed(ResultError error, Presentation presentation) {
        return new SearchResult(
                ResultPage.EMPTY,
                List.of(),
                Optional.empty(),
                QueryCost.NONE,
                List.of(error),
                QueryOutput.of(presentation));
    }

    /**
     * Returns the HTTP status for programs that measure: every error except warnings counts, even
     * if the result has hits.
     */
    int strictStatus() {
        return status(hasOnlyWarnings());
    }

    private boolean hasOnlyWarnings() {
        for (ResultError error : errors) {
            if (error.code() != ErrorCode.SEARCH_WARNING) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the HTTP status. A result with hits, with groups, or without errors other than
     * warnings is a success, unless an error decides alone. If it is no success, the first error
     * that has a status decides.
     */
    public int status() {
        return status(!page.isEmpty() || !groups.isEmpty() || hasOnlyWarnings());
    }

    private int status(boolean success) {
        for (ResultError error : errors) {
            OptionalInt status = error.code().status();
            if (status.isPresent() && (!success || error.code().decidesAlone())) {
                return status.getAsInt();
            }
        }
        return success ? OK : INTERNAL_ERROR;
    }
}
