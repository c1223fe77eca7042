package org.crabro.container.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.component.InvalidQueryException;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.component.Searcher;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.container.llm.GeneratedAnswer;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.ResultPlan;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.query.TraceLine;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.search.QueryCost;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a query through search chains of the application. A chain may call the built-in chain any
 * number of times and from several threads. The query has a result even if a searcher fails.
 */
final class OwnSearch {
    private static final Logger LOG = LoggerFactory.getLogger(OwnSearch.class);

    /** From these levels on, a trace contains chains, and searchers. */
    private static final int TRACES_CHAINS = 2;

    private static final int TRACES_SEARCHERS = 3;

    /** The number of lines in a trace; further lines are left out. */
    private static final int TRACE_MAX = 10_000;

    /** The number of sources that a request may ask, those of all its federations together. */
    static final int SOURCES_MAX = 1_000;

    private final QueryChains chains;
    private final OwnChain chain;
    private final QueryRequest request;
    private final int traceLevel;

    /** Whether the query profile sets parameters of single sources. */
    private final boolean namesSources;

    /** The sources that the request has asked so far. */
    private final AtomicInteger asked = new AtomicInteger();

    private final OwnResults results = new OwnResults();

    // The sums of all calls of the built-in chain; guarded by this.
    private final List<TraceLine> trace = new ArrayList<>();
    private Optional<ResultPlan> plan = Optional.empty();
    private QueryCost cost = QueryCost.NONE;
    private Optional<ResultCoverage> coverage = Optional.empty();

    OwnSearch(QueryChains chains, OwnChain chain, QueryRequest request) {
        this.chains = chains;
        this.chain = chain;
        this.request = request;
        Parameters parameters =
                RequestProfile.of(application().queryProfiles(), request.parameters()).parameters();
        this.traceLevel = parameters.count(Parameter.TRACE_LEVEL).orElse(0);
        this.namesSources = SourceParameters.areIn(parameters);
    }

    private SearchedApplication application() {
        return chains.application();
    }

    SearchSettings settings() {
        return chains.settings();
    }

    QueryChains chains() {
        return chains;
    }

    OwnResults results() {
        return results;
    }

    /** Counts a source that is asked; false if the request has asked too many. */
    boolean mayAsk() {
        return asked.incrementAndGet() <= SOURCES_MAX;
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
        Presentation presentation = QueryBuilder.presentation(application(), settings(), request);
        trace(TRACES_CHAINS, "Chain '%s': %s".formatted(chain.id(), chain.shown()));
        Result result =
                run(chain, new OwnQuery(this, asRun(chain, request), part(chain, application())));
        return shown(result, presentation);
    }

    private SearchResult shown(Result result, Presentation presentation) {
        Optional<SearchResult> origin =
                result.origin()
                        .filter(SearchResult.class::isInstance)
                        .map(SearchResult.class::cast);
        Optional<PageAnswer> answer =
                result.origin()
                        .filter(GeneratedAnswer.class::isInstance)
                        .map(GeneratedAnswer.class::cast)
                        .map(each ->
                                new PageAnswer(
                                        each,
                                        each.result().map(hits -> shown(hits, presentation)),
                                        List.of()));
        synchronized (this) {
            return new SearchResult(
                    new ResultPage(
                            OwnResults.hits(result),
                            result.totalCount(),
                            origin.flatMap(each -> each.page().next()),
                            origin.map(each -> each.page().sections()).orElse(List.of()),
                            answer),
                    origin.map(SearchResult::groups).orElse(List.of()),
                    coverage,
                    cost,
                    results.errors(result),
                    new QueryOutput(
                                    presentation,
                                    traceLevel,
                                    trace,
                                    origin.map(each -> each.output().window())
                                            .orElse(QueryOutput.Window.DEFAULT))
                            .withPlan(plan));
        }
    }

    private static QueryRequest asRun(OwnChain chain, QueryRequest request) {
        if (chain.stems()) {
            return request;
        }
        var values = new LinkedHashMap<>(request.parameters().values());
        values.put(Parameter.NO_STEMMING.shown(), "true");
        return request.with(new Parameters(values));
    }

    /**
     * Returns the part of the application that a chain searches.
     *
     * @param otherwise the part of a chain that ends with the built-in search of what a query names
     */
    SearchedApplication part(OwnChain run, SearchedApplication otherwise) {
        if (run.ending() instanceof ChainEnding.LocalCluster(var cluster)) {
            return application().within(cluster);
        }
        boolean isNamed =
                run.ending() instanceof ChainEnding.BuiltIn
                        && !run.hasFederation()
                        && chains.declared().isEmpty();
        return isNamed ? otherwise : application().chosen();
    }

    /** Runs a query through a chain. */
    Result run(OwnChain run, OwnQuery query) {
        return from(run, 0).search(query);
    }

    /** Runs a query through the chain of a source, on a thread of its own. */
    Result runAsSource(OwnChain run, OwnQuery query) {
        if (!chains.running().tryAcquire()) {
            return Result.failed(
                    new QueryError(
                            QueryError.Kind.OVERLOADED,
                            "%,d sources are asked already"
                                    .formatted(QueryChains.SOURCES_RUNNING)));
        }
        try {
            return withoutAnswer(run, run(run, query));
        } finally {
            chains.running().release();
        }
    }

    /** The results of sources are merged, and a text that is still generated cannot be. */
    private static Result withoutAnswer(OwnChain run, Result result) {
        if (result.origin().isPresent()
                && result.origin().get() instanceof GeneratedAnswer answer) {
            answer.call().close();
            return failed(
                    "source '%s' answers with a language model, which is not built for sources; put the searcher into the chain of the request"
                            .formatted(run.id()));
        }
        return result;
    }

    private Searcher.Execution from(OwnChain run, int index) {
        return query -> {
            if (!(query instanceof OwnQuery own) || !own.isOf(this)) {
                return failed("a searcher passed on a query that was not derived from its own");
            }
            if (index == run.steps().size()) {
                return end(run, own);
            }
            return switch (run.steps().get(index)) {
                case OwnChain.SearcherStep step -> step(run, step, own, from(run, index + 1));
                case OwnChain.FederationStep(var federation) -> {
                    boolean isLast = index + 1 == run.steps().size();
                    yield federated(
                            run,
                            federation,
                            own,
                            isLast
                                    ? Optional.empty()
                                    : Optional.of(from(run, index + 1).search(own)));
                }
            };
        };
    }

    /** A federation is the end of a chain, even if built-in searchers would follow. */
    private Result end(OwnChain run, OwnQuery query) {
        if (run.hasFederation()) {
            return Result.of(List.of());
        }
        return switch (run.ending()) {
            case ChainEnding.Nothing() -> Result.of(List.of());
            case ChainEnding.LocalCluster _ -> builtIn(query);
            case ChainEnding.BuiltIn(boolean blends) -> {
                Optional<Federation> asks =
                        chains.federation(
                                blends, namesSources || SourceParameters.areIn(query.requested()));
                yield asks.isPresent()
                        ? federated(run, asks.get(), query, Optional.empty())
                        : builtIn(query);
            }
        };
    }

    private Result federated(
            OwnChain run, Federation federation, OwnQuery query, Optional<Result> beside) {
        trace(TRACES_CHAINS, "Federation '%s' of chain '%s'".formatted(federation.id(), run.id()));
        try {
            return new FederatedSearch(this, federation, run.blends()).result(query, beside);
        } catch (IllegalQueryException e) {
            return Result.failed(results.shown(e.error()));
        } catch (InvalidQueryException e) {
            return Result.failed(
                    new QueryError(QueryError.Kind.INVALID_QUERY, String.valueOf(e.getMessage())));
        }
    }

    private Result step(
            OwnChain run, OwnChain.SearcherStep step, OwnQuery query, Searcher.Execution next) {
        trace(TRACES_SEARCHERS, "Searcher '%s': begin".formatted(step.id()));
        long begin = System.nanoTime();
        Result result = asked(run, step, query, next);
        double millis = (System.nanoTime() - begin) / 1e6;
        trace(
                TRACES_SEARCHERS,
                "Searcher '%s': end, %d hits of %d after %.3f ms"
                        .formatted(step.id(), result.hits().size(), result.totalCount(), millis));
        return result;
    }

    private static Result asked(
            OwnChain run, OwnChain.SearcherStep step, OwnQuery query, Searcher.Execution next) {
        try {
            Result result = step.searcher().search(query, next);
            return result == null ? failed(failure(run, step, "returned nothing")) : result;
        } catch (InvalidQueryException e) {
            return Result.failed(
                    new QueryError(QueryError.Kind.INVALID_QUERY, String.valueOf(e.getMessage())));
        } catch (ModelBusyException e) {
            // The searcher evaluates a model; the query may succeed later.
            return Result.failed(
                    new QueryError(QueryError.Kind.OVERLOADED, String.valueOf(e.getMessage())));
        } catch (MemoryRefusedException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.error("{}", failure(run, step, "threw " + e), e);
            return failed(failure(run, step, "threw " + e));
        }
    }

    private static String failure(OwnChain run, OwnChain.SearcherStep step, String what) {
        return "searcher '%s' of chain '%s' failed: class %s %s"
                .formatted(step.id(), run.id(), step.searcher().getClass().getName(), what);
    }

    private static Result failed(String problem) {
        return Result.failed(new QueryError(QueryError.Kind.FAILED, problem));
    }

    private Result builtIn(OwnQuery query) {
        try {
            SearchResult result = chains.builtIn(query.isOneOfSeveral()).search(query.understood());
            note(result);
            return results.shown(result);
        } catch (IllegalQueryException e) {
            return Result.failed(results.shown(e.error()));
        } catch (MemoryRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            // A defect of the server, not of the searcher.
            LOG.error("a query failed", e);
            return failed("Failed: see the server's log");
        }
    }

    private synchronized void note(SearchResult result) {
        if (traceLevel > 0) {
            result.output().trace().stream().limit(TRACE_MAX - trace.size()).forEach(trace::add);
        }
        result.output()
                .plan()
                .ifPresent(more -> plan = Optional.of(plan.orElse(ResultPlan.EMPTY).plus(more)));
        cost = cost.plus(result.cost());
        coverage =
                coverage.isEmpty() || result.coverage().isEmpty()
                        ? coverage.or(result::coverage)
                        : Optional.of(coverage.get().plus(result.coverage().get()));
    }
}
