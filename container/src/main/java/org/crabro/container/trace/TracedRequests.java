package org.crabro.container.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.util.List;
import org.crabro.container.http.RequestPath;
import org.crabro.protocol.trace.Spans;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers each request in the trace of its sender, which calls to other processes then get. If
 * spans are sent, the request has one, with its method, the beginning of its path and its status.
 */
public final class TracedRequests extends Handler.Wrapper {
    private static final AttributeKey<String> METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS =
            AttributeKey.longKey("http.response.status_code");

    /** Only these parts of paths are shown: the rest contains ids. */
    private static final List<String> ROUTES =
            List.of("/search/", "/document/v1/", "/model-evaluation/v1/");

    private final Traces traces;

    public TracedRequests(Handler handler, Traces traces) {
        super(handler);
        this.traces = traces;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!traces.isRecording() && !request.getHeaders().contains(Spans.PARENT)) {
            return super.handle(request, response, callback);
        }
        String path = RequestPath.of(request).text();
        String route = ROUTES.stream().filter(path::startsWith).findFirst().orElse("/");
        HttpMethod standard = HttpMethod.fromString(request.getMethod());
        String method = standard == null ? "_OTHER" : standard.asString();
        Spans.Arrival arrival =
                Spans.arrival(
                        traces.tracer(),
                        method + " " + route,
                        name -> request.getHeaders().get(name));
        Span span = arrival.span();
        span.setAttribute(METHOD, method);
        span.setAttribute(ROUTE, route);
        try (Scope _ = arrival.context().makeCurrent()) {
            boolean isHandled =
                    super.handle(
                            request,
                            response,
                            Callback.from(
                                    () -> {
                                        end(span, response);
                                        callback.succeeded();
                                    },
                                    failure -> {
                                        span.setStatus(StatusCode.ERROR, "the answer failed");
                                        end(span, response);
                                        callback.failed(failure);
                                    }));
            if (!isHandled) {
                end(span, response);
            }
            return isHandled;
        } catch (Exception | Error e) {
            span.setStatus(StatusCode.ERROR, e.getClass().getName());
            span.end();
            throw e;
        }
    }

    private static void end(Span span, Response response) {
        int status = response.getStatus();
        span.setAttribute(STATUS, (long) status);
        if (status >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
