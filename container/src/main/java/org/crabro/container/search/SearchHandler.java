package org.crabro.container.search;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.http.Accepted;
import org.crabro.container.http.AnswerStream;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.ClientName;
import org.crabro.container.http.ClientWatch;
import org.crabro.container.http.SlowBodyException;
import org.crabro.container.query.BodyBudget;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.PresentationReader;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestBody;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code GET} and {@code POST /search/} with the hits of one application, and leaves every
 * other request to the next handler.
 *
 * <p>Blocks while embedders and content nodes work.
 */
public final class SearchHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(SearchHandler.class);

    /** One line for each query that takes long; nothing in it is anyone's own. */
    private static final Logger SLOW = LoggerFactory.getLogger("slow-queries");

    /** Names of principals that many senders share. */
    private static final int ASK_AGAIN_SECONDS = 1;

    private final SearchSettings settings;
    private final QueryChains chains;
    private final Renderer renderer;
    private final Function<Request, Principal> principals;
    private final InstantSource clock;
    private final Timer latency;
    private final Counter queries;
    private final Counter failed;
    private final Counter degraded;
    private final Semaphore free;
    private final BodyBudget bodies;

    /**
     * @param own chains with searchers of the application's own, by id
     * @param bodies shared by all applications of the process
     * @param documents reads those that others are to be like
     * @param renderer writes every result
     * @param principals tells who sent a request
     * @param clock says what ranking takes for the present
     * @param registry gets {@code queries}, {@code failed_queries}, {@code degraded_queries} and
     *     {@code query_latency}
     */
    public SearchHandler(
            SearchedApplication application,
            Map<String, OwnChain> own,
            SearchSettings settings,
            BodyMemory bodies,
            SearchDispatch dispatch,
            DocumentReads documents,
            Renderer renderer,
            Function<Request, Principal> principals,
            InstantSource clock,
            MeterRegistry registry) {
        this.settings = settings;
        this.chains =
                new QueryChains(
                        application,
                        settings,
                        new SearchChain(
                                List.of(
                                        new TreeBounds(),
                                        new FieldChecks(),
                                        new SignificanceSearcher(application.significance()),
                                        new FieldCollapse(),
                                        new RelatedDocuments(documents),
                                        new ClusterSearcher(dispatch, application.rankModels()))),
                        own);
        this.renderer = renderer;
        this.principals = principals;
        this.clock = clock;
        this.latency = Timer.builder("query_latency").register(registry);
        this.queries = Counter.builder("queries").register(registry);
        this.failed = Counter.builder("failed_queries").register(registry);
        this.free = new Semaphore(settings.maxInFlight());
        this.bodies = new BodyBudget(bodies);
        this.degraded = Counter.builder("degraded_queries").register(registry);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException {
        String path = Request.getPathInContext(request);
        if (!path.equals("/search/") && !path.equals("/search")) {
            return false;
        }
        long arrival = request.getBeginNanoTime();
        Answer answer = answer(request, response, arrival);
        SearchResult result = answer.result();
        Duration taken = Duration.ofNanos(System.nanoTime() - arrival);
        if (answer.isCounted()) {
            count(result, taken);
        }
        send(request, response, callback, result, taken);
        return true;
    }

    /** Refuses a request that may not be sent, or not as often, in the form of results. */
    public void refuse(
            Request request, Response response, Callback callback, int status, String message) {
        ErrorCode code =
                switch (status) {
                    case HttpStatus.UNAUTHORIZED_401 -> ErrorCode.UNAUTHORIZED;
                    case HttpStatus.TOO_MANY_REQUESTS_429 -> ErrorCode.TOO_MANY_QUERIES;
                    default -> ErrorCode.FORBIDDEN;
                };
        try {
            send(
                    request,
                    response,
                    callback,
                    SearchResult.failed(new ResultError(code, "", message)),
                    Duration.ofNanos(System.nanoTime() - request.getBeginNanoTime()));
        } catch (IOException e) {
            callback.failed(e);
        }
    }

    private void send(
            Request request,
            Response response,
            Callback callback,
            SearchResult result,
            Duration taken)
            throws IOException {
        if (result.status() == HttpStatus.TOO_MANY_REQUESTS_429) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, ASK_AGAIN_SECONDS);
        }
        response.setStatus(result.status());
        response.getHeaders()
                .put(HttpHeader.CONTENT_TYPE, renderer.contentType(result.presentation()));
        BenchmarkHeaders.put(request, response, result, taken);
        try (var out = new AnswerStream(request, response)) {
            renderer.render(result, taken, out);
            out.end(callback);
        }
    }

    /**
     * What a request is answered.
     *
     * @param isCounted whether metrics tell of it
     */
    private record Answer(SearchResult result, boolean isCounted) {
        static Answer failed(ResultError error) {
            return new Answer(SearchResult.failed(error), true);
        }
    }

    private Answer answer(Request request, Response response, long arrival) {
        boolean isPost = HttpMethod.POST.is(request.getMethod());
        if (!isPost && !HttpMethod.GET.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
            return Answer.failed(
                    new ResultError(
                            ErrorCode.METHOD_NOT_ALLOWED,
                            "",
                            "expected GET or POST but found " + request.getMethod()));
        }
        try (BodyBudget.Share share = bodies.share()) {
            Parameters parameters = RequestBody.parameters(request, settings.maxBodyBytes(), share);
            // A body that is still received takes no place.
            if (!free.tryAcquire()) {
                return Answer.failed(
                        tooMany(settings.maxInFlight() + " queries are under way already"));
            }
            try {
                return new Answer(
                        found(request, parameters, arrival),
                        !parameters.truth(Parameter.METRICS_IGNORE, false));
            } finally {
                free.release();
            }
        } catch (IllegalQueryException e) {
            return Answer.failed(e.error());
        } catch (BodyRefusedException e) {
            return Answer.failed(tooMany(String.valueOf(e.getMessage())));
        } catch (SlowBodyException e) {
            return Answer.failed(new ResultError(ErrorCode.REQUEST_TIMEOUT, "", e.getReason()));
        } catch (IOException e) {
            return Answer.failed(
                    new ResultError(
                            ErrorCode.BAD_REQUEST, "", "the body ended early: " + e.getMessage()));
        }
    }

    private static ResultError tooMany(String reason) {
        return new ResultError(ErrorCode.TOO_MANY_QUERIES, "", reason);
    }

    private SearchResult found(Request request, Parameters parameters, long arrival) {
        try {
            Principal principal = principals.apply(request);
            return found(
                    new QueryRequest(
                            parameters,
                            principal,
                            ClientName.of(principal, request),
                            arrival,
                            clock.instant(),
                            Accepted.isCborPreferred(request.getHeaders()),
                            ClientWatch.of(request)));
        } catch (RuntimeException e) {
            LOG.error("a query failed", e);
            return SearchResult.failed(
                    new ResultError(
                            ErrorCode.UNSPECIFIED, "", "Failed: the server's log says more"));
        }
    }

    private SearchResult found(QueryRequest asked) {
        try {
            return chains.search(asked);
        } catch (IllegalQueryException e) {
            return SearchResult.failed(e.error(), PresentationReader.ofFailure(asked));
        } catch (StackOverflowError e) {
            // One line, without the thousands of frames that the error has.
            LOG.warn("a query is nested too deeply");
            return SearchResult.failed(
                    new ResultError(ErrorCode.ILLEGAL_QUERY, "", "the query is nested too deeply"));
        }
    }

    private void count(SearchResult result, Duration taken) {
        if (taken.compareTo(settings.slow()) > 0) {
            SLOW.info(
                    "{} ms, status {}, {} hits of {}, {}",
                    taken.toMillis(),
                    result.status(),
                    result.hits().size(),
                    result.totalCount(),
                    result.cost());
        }
        queries.increment();
        latency.record(taken);
        if (result.status() >= 400) {
            failed.increment();
        } else if (result.coverage().filter(coverage -> !coverage.isFull()).isPresent()) {
            degraded.increment();
        }
    }
}
