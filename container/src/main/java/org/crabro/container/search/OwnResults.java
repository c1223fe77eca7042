package org.crabro.container.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.crabro.component.Hit;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.ResultError;
import org.crabro.document.DocumentId;
import org.crabro.protocol.search.SearchHit;

/**
 * Converts results to the form that searchers of an application see, and back. Parts that they do
 * not see are restored from the original. For one query; safe for use by many threads.
 */
final class OwnResults {
    /** The original errors, by the form that searchers see. */
    private final Map<QueryError, ResultError> errors = new ConcurrentHashMap<>();

    Result shown(SearchResult result) {
        return new Result(
                result.page().hits().stream().map(OwnResults::shown).toList(),
                result.page().totalCount(),
                result.coverage()
                        .map(coverage ->
                                new Result.Coverage(
                                        coverage.documents().documents(),
                                        coverage.documents().total(),
                                        coverage.isFull())),
                result.errors().stream().map(this::shown).toList(),
                Optional.of(result));
    }

    private static Hit shown(ResultHit hit) {
        return new Hit(
                hit.shownId().orElseGet(() -> hit.hit().id().toString()),
                hit.hit().relevance(),
                hit.source(),
                hit.hit().summary(),
                Optional.of(hit));
    }

    QueryError shown(ResultError error) {
        var shown = new QueryError(kind(error.code()), error.message());
        errors.putIfAbsent(shown, error);
        return shown;
    }

    private static QueryError.Kind kind(ErrorCode code) {
        return switch (code) {
            case NULL_QUERY,
                    ILLEGAL_QUERY,
                    INVALID_PARAMETER,
                    BAD_REQUEST,
                    METHOD_NOT_ALLOWED,
                    CONTENT_TOO_LARGE ->
                    QueryError.Kind.INVALID_QUERY;
            case FORBIDDEN, UNAUTHORIZED -> QueryError.Kind.FORBIDDEN;
            case TOO_MANY_QUERIES -> QueryError.Kind.OVERLOADED;
            case NO_BACKENDS, BACKEND_COMMUNICATION -> QueryError.Kind.UNAVAILABLE;
            case TIMED_OUT, REQUEST_TIMEOUT -> QueryError.Kind.TIMED_OUT;
            case SEARCH_WARNING -> QueryError.Kind.WARNING;
            case SEARCH_REPLY, UNSPECIFIED -> QueryError.Kind.FAILED;
        };
    }

    /** Returns an error of a searcher, or the error of the server that it saw. */
    ResultError of(QueryError error) {
        ResultError original = errors.get(error);
        return original == null
                ? new ResultError(code(error.kind()), "", error.message())
                : original;
    }

    private static ErrorCode code(QueryError.Kind kind) {
        return switch (kind) {
            case INVALID_QUERY -> ErrorCode.ILLEGAL_QUERY;
            case FORBIDDEN -> ErrorCode.FORBIDDEN;
            case OVERLOADED -> ErrorCode.TOO_MANY_QUERIES;
            case UNAVAILABLE -> ErrorCode.BACKEND_COMMUNICATION;
            case TIMED_OUT -> ErrorCode.TIMED_OUT;
            case FAILED -> ErrorCode.UNSPECIFIED;
            case WARNING -> ErrorCode.SEARCH_WARNING;
        };
    }

    /** Returns the errors of a result. Equal errors of several sources keep their source. */
    List<ResultError> errors(Result result) {
        Optional<List<ResultError>> original =
                result.origin()
                        .filter(SearchResult.class::isInstance)
                        .map(SearchResult.class::cast)
                        .map(SearchResult::errors)
                        .filter(all ->
                                result.errors().equals(all.stream().map(this::shown).toList()));
        return original.orElseGet(() -> converted(result));
    }

    private List<ResultError> converted(Result result) {
        return result.errors().stream().map(this::of).toList();
    }

    /** Returns the hits of a result. */
    static List<ResultHit> hits(Result result) {
        var hits = new ArrayList<ResultHit>();
        for (Hit hit : result.hits()) {
            hits.add(
                    hit.origin().isPresent() && hit.origin().get() instanceof ResultHit resultHit
                            ? changed(resultHit, hit)
                            : own(hit, hits.size()));
        }
        return hits;
    }

    private static ResultHit changed(ResultHit result, Hit hit) {
        SearchHit before = result.hit();
        return new ResultHit(
                new SearchHit(
                        before.id(),
                        hit.relevance(),
                        before.sortValues(),
                        hit.fields(),
                        before.matchFeatures(),
                        before.features()),
                hit.source(),
                result.documentType(),
                result.showsType(),
                result.showsId(),
                hit.id().equals(before.id().toString()) ? Optional.empty() : Optional.of(hit.id()));
    }

    /**
     * Returns a hit that a searcher made. It is no document, and its made-up document id is not
     * shown.
     */
    private static ResultHit own(Hit hit, int index) {
        return new ResultHit(
                new SearchHit(
                        DocumentId.parse("id:own:hit::" + index),
                        hit.relevance(),
                        List.of(),
                        hit.fields(),
                        Map.of()),
                hit.source(),
                "",
                false,
                false,
                Optional.of(hit.id()));
    }
}
