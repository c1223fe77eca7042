package org.crabro.container.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.component.InvalidQueryException;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.component.Searcher;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.query.TraceLine;
import org.crabro.protocol.search.QueryCost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a query through a search chain of the application. The chain may call the built-in chain any
 * number of times and from several threads. The query has a result even if a searcher fails.
 */
final class OwnSearch {
    private static final Logger LOG = LoggerFactory.getLogger(OwnSearch.class);

    /** From these levels on, a trace contains chains, and searchers. */
    private static final int TRACES_CHAINS = 2;

    private static final int TRACES_SEARCHERS = 3;

    /** The number of lines in a trace; further lines are left out. */
    private static final int TRACE_MAX = 10_000;

    private final SearchedApplication application;
    private final SearchSettings settings;
    private final SearchChain builtIn;
    private final OwnChain chain;
    private final QueryRequest request;
    private final int traceLevel;
    private final OwnResults results = new OwnResults();

    // The sums of all calls of the built-in chain; guarded by this.
    private final List<TraceLine> trace = new ArrayList<>();
    private QueryCost cost = QueryCost.NONE;
    private Optional<ResultCoverage> coverage = Optional.empty();

    OwnSearch(
            SearchedApplication application,
            SearchSettings settings,
            SearchChain builtIn,
            OwnChain chain,
            QueryRequest request) {
        this.application = application;
        this.settings = settings;
        this.builtIn = builtIn;
        this.chain = chain;
        this.request = request;
        this.traceLevel =
                RequestProfile.of(application.queryProfiles(), request.parameters())
                        .parameters()
                        .count(Parameter.TRACE_LEVEL)
                        .orElse(0);
    }

    SearchedApplication application() {
        return application;
    }

    SearchSettings settings() {
        return settings;
    }

    int traceLevel() {
        return traceLevel;
    }

    /** Adds a line to the trace if the request traces this level. */
    synchronized void trace(int level, String message) {
        if (traceLevel >= level && trace.size() < TRACE_MAX) {
            trace.add(TraceLine.now(message));
        }
    }

    /** Returns the exception that a searcher gets for a wrong query. */
    InvalidQueryException invalid(IllegalQueryException e) {
        return new InvalidQueryException(results.shown(e.error()).message());
    }

    /**
     * Runs the request.
     *
     * @throws IllegalQueryException if the request asks for an unknown presentation
     */
    SearchResult result() {
        Presentation presentation = QueryBuilder.presentation(application, settings, request);
        trace(TRACES_CHAINS, "Chain '%s': %s".formatted(chain.id(), chain.shown()));
        Result found = from(0).search(new OwnQuery(this, request));
        Optional<SearchResult> origin =
                found.origin().filter(SearchResult.class::isInstance).map(SearchResult.class::cast);
        synchronized (this) {
            return new SearchResult(
                    new ResultPage(
                            OwnResults.hits(found),
                            found.totalCount(),
                            origin.flatMap(each -> each.page().next())),
                    origin.map(SearchResult::groups).orElse(List.of()),
                    coverage,
                    cost,
                    results.errors(found),
                    new QueryOutput(
                            presentation,
                            traceLevel,
                            trace,
                            origin.map(each -> each.output().window())
                                    .orElse(QueryOutput.Window.DEFAULT)));
        }
    }

    private Searcher.Execution from(int index) {
        return query -> {
            if (!(query instanceof OwnQuery own) || !own.isOf(this)) {
                return failed("a searcher passed on a query that was not derived from its own");
            }
            if (index < chain.steps().size()) {
                return step(index, own);
            }
            return chain.goesOn() ? builtIn(own) : Result.of(List.of());
        };
    }

    private Result step(int index, OwnQuery query) {
        OwnChain.Step step = chain.steps().get(index);
        trace(TRACES_SEARCHERS, "Searcher '%s': begin".formatted(step.id()));
        long begin = System.nanoTime();
        Result found = asked(step, query, from(index + 1));
        double millis = (System.nanoTime() - begin) / 1e6;
        trace(
                TRACES_SEARCHERS,
                "Searcher '%s': end, %d hits of %d after %.3f ms"
                        .formatted(step.id(), found.hits().size(), found.totalCount(), millis));
        return found;
    }

    private Result asked(OwnChain.Step step, OwnQuery query, Searcher.Execution next) {
        try {
            Result found = step.searcher().search(query, next);
            return found == null ? failed(failure(step, "returned nothing")) : found;
        } catch (InvalidQueryException e) {
            return Result.failed(
                    new QueryError(QueryError.Kind.INVALID_QUERY, String.valueOf(e.getMessage())));
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.error("{}", failure(step, "threw " + e), e);
            return failed(failure(step, "threw " + e));
        }
    }

    private String failure(OwnChain.Step step, String what) {
        return "searcher '%s' of chain '%s' failed: class %s %s"
                .formatted(step.id(), chain.id(), step.searcher().getClass().getName(), what);
    }

    private static Result failed(String problem) {
        return Result.failed(new QueryError(QueryError.Kind.FAILED, problem));
    }

    private Result builtIn(OwnQuery query) {
        try {
            SearchResult found = builtIn.search(query.understood());
            note(found);
            return results.shown(found);
        } catch (IllegalQueryException e) {
            return Result.failed(results.shown(e.error()));
        } catch (RuntimeException e) {
            // A defect of the server, not of the searcher.
            LOG.error("a query failed", e);
            return failed("Failed: see the server's log");
        }
    }

    private synchronized void note(SearchResult found) {
        if (traceLevel > 0) {
            found.output().trace().stream().limit(TRACE_MAX - trace.size()).forEach(trace::add);
        }
        cost = cost.plus(found.cost());
        coverage =
                coverage.isEmpty() || found.coverage().isEmpty()
                        ? coverage.or(found::coverage)
                        : Optional.of(coverage.get().plus(found.coverage().get()));
    }
}
