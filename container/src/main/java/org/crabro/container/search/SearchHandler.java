package org.crabro.container.search;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.crabro.container.http.AnswerStream;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.RequestPath;
import org.crabro.container.http.UnreadBody;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.container.query.BodyBudget;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.PresentationReader;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.QueryRequests;
import org.crabro.container.query.RequestBody;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.memory.MemoryRefusedException;
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
 * Handles {@code GET} and {@code POST /search/} for one application, and passes every other request
 * to the next handler.
 *
 * <p>Blocks while embedders and content nodes work.
 */
public final class SearchHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(SearchHandler.class);

    /** After this time a rejected client may retry. */
    private static final int RETRY_AFTER_SECONDS = 1;

    private final QueryChains chains;
    private final SearchSettings settings;
    private final BodyBudget bodies;
    private final QueryRequests requests;
    private final Renderer renderer;
    private final SearchMetrics metrics;
    private final Semaphore free;
    private final AnswerSender answers;

    /**
     * @param bodies shared by all applications of the process
     * @param renderer writes every result
     * @param registry gets the metrics of queries
     */
    public SearchHandler(
            QueryChains chains,
            SearchSettings settings,
            BodyMemory bodies,
            QueryRequests requests,
            Renderer renderer,
            MeterRegistry registry) {
        this.chains = chains;
        this.settings = settings;
        this.bodies = new BodyBudget(bodies);
        this.requests = requests;
        this.renderer = renderer;
        this.metrics = new SearchMetrics(settings.times().slow(), registry);
        this.free = new Semaphore(settings.maxInFlight());
        this.answers =
                new AnswerSender(
                        renderer,
                        (request, response, callback, result) ->
                                send(
                                        request,
                                        response,
                                        callback,
                                        result,
                                        Duration.ofNanos(
                                                System.nanoTime() - request.getBeginNanoTime())));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException {
        String path = RequestPath.of(request).text();
        if (!path.equals("/search/") && !path.equals("/search")) {
            return false;
        }
        long arrival = request.getBeginNanoTime();
        Answer answer = answer(request, response, arrival);
        SearchResult result = answer.result();
        Duration taken = Duration.ofNanos(System.nanoTime() - arrival);
        if (answer.isCounted()) {
            metrics.count(result, taken);
        }
        if (result.status() == HttpStatus.PAYLOAD_TOO_LARGE_413) {
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent -> sendOrFail(request, response, sent, result, taken));
        } else {
            send(request, response, callback, result, taken);
        }
        return true;
    }

    /** Rejects a request that its sender must not send, or not as often, with a result. */
    public void refuse(
            Request request, Response response, Callback callback, int status, String message) {
        ErrorCode code =
                switch (status) {
                    case HttpStatus.UNAUTHORIZED_401 -> ErrorCode.UNAUTHORIZED;
                    case HttpStatus.TOO_MANY_REQUESTS_429 -> ErrorCode.TOO_MANY_QUERIES;
                    default -> ErrorCode.FORBIDDEN;
                };
        sendOrFail(
                request,
                response,
                callback,
                SearchResult.failed(new ResultError(code, "", message)),
                Duration.ofNanos(System.nanoTime() - request.getBeginNanoTime()));
    }

    private void sendOrFail(
            Request request,
            Response response,
            Callback callback,
            SearchResult result,
            Duration taken) {
        try {
            send(request, response, callback, result, taken);
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
        if (result.page().answer().filter(each -> each.events().isEmpty()).isPresent()) {
            answers.start(request, response, callback, result);
            return;
        }
        retryLater(result.status(), response);
        response.setStatus(
                BenchmarkHeaders.areAsked(request) ? result.strictStatus() : result.status());
        response.getHeaders()
                .put(HttpHeader.CONTENT_TYPE, renderer.contentType(result.output().presentation()));
        BenchmarkHeaders.put(request, response, result, taken);
        try (var out = new AnswerStream(request, response)) {
            renderer.render(result, taken, out);
            out.end(callback);
        }
    }

    /** Tells the client of a full or incomplete server when to repeat its request. */
    static void retryLater(int status, Response response) {
        boolean isLater =
                status == HttpStatus.TOO_MANY_REQUESTS_429
                        || status == HttpStatus.SERVICE_UNAVAILABLE_503;
        // A refused sender has a time of its own.
        if (isLater && !response.getHeaders().contains(HttpHeader.RETRY_AFTER)) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
    }

    /**
     * The response to a request.
     *
     * @param isCounted whether metrics count it
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
            Parameters parameters =
                    RequestBody.parameters(request, settings.bodies().maxBodyBytes(), share);
            // A request counts as in flight when its body has been received.
            if (!free.tryAcquire()) {
                return Answer.failed(
                        tooMany(settings.maxInFlight() + " queries are running already"));
            }
            try {
                return new Answer(
                        result(request, parameters, arrival),
                        !parameters.truth(Parameter.METRICS_IGNORE, false));
            } finally {
                free.release();
            }
        } catch (IllegalQueryException e) {
            return Answer.failed(e.error());
        } catch (BodyRefusedException e) {
            return Answer.failed(tooMany(String.valueOf(e.getMessage())));
        } catch (MemoryRefusedException e) {
            return Answer.failed(refused(e));
        } catch (UnusableBodyException e) {
            return Answer.failed(
                    new ResultError(
                            e.isTooSlow() ? ErrorCode.REQUEST_TIMEOUT : ErrorCode.BAD_REQUEST,
                            "",
                            e.getReason()));
        } catch (IOException e) {
            return Answer.failed(
                    new ResultError(
                            ErrorCode.BAD_REQUEST, "", "the body ended early: " + e.getMessage()));
        }
    }

    private static ResultError refused(MemoryRefusedException refusal) {
        return new ResultError(
                refusal.isTooLarge() ? ErrorCode.CONTENT_TOO_LARGE : ErrorCode.TOO_MANY_QUERIES,
                "",
                String.valueOf(refusal.getMessage()));
    }

    private static ResultError tooMany(String reason) {
        return new ResultError(ErrorCode.TOO_MANY_QUERIES, "", reason);
    }

    private SearchResult result(Request request, Parameters parameters, long arrival) {
        try {
            return result(requests.of(request, parameters, arrival));
        } catch (MemoryRefusedException e) {
            return SearchResult.failed(refused(e));
        } catch (RuntimeException e) {
            LOG.error("a query failed", e);
            return SearchResult.failed(
                    new ResultError(ErrorCode.UNSPECIFIED, "", "Failed: see the server's log"));
        }
    }

    private SearchResult result(QueryRequest asked) {
        try {
            return chains.search(asked);
        } catch (IllegalQueryException e) {
            return SearchResult.failed(e.error(), PresentationReader.ofFailure(asked));
        } catch (StackOverflowError e) {
            // One line: the stack trace has thousands of frames.
            LOG.warn("a query is nested too deeply");
            return SearchResult.failed(
                    new ResultError(ErrorCode.ILLEGAL_QUERY, "", "the query is nested too deeply"));
        }
    }
}
