package org.crabro.container.component;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.crabro.component.Caller;
import org.crabro.component.HttpRequest;
import org.crabro.component.HttpResponse;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.container.access.Callers;
import org.crabro.container.http.HostPattern;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.wire.Principal;
import org.crabro.text.Glob;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a component answer requests at the addresses that it is bound to, and leaves every other
 * request to the next handler. Blocks while the component works: it runs on the server's virtual
 * threads.
 */
public final class ComponentHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ComponentHandler.class);

    /** How much of an answer is gathered before it is sent. */
    private static final int WRITE_BYTES = 32 * 1024;

    private final String id;
    private final org.crabro.component.Handler component;
    private final List<Binding> bindings;
    private final Predicate<Request> bounded;
    private final Function<Request, Principal> principals;

    private record Bound(Optional<HostPattern> host, int port, Glob path) {
        boolean matches(Request request, String asked) {
            return (port == 0 || port == Request.getLocalPort(request))
                    && (host.isEmpty() || host.get().matches(request))
                    && path.matches(asked);
        }
    }

    /**
     * @param principals returns the sender of a request
     */
    ComponentHandler(
            String id,
            org.crabro.component.Handler component,
            List<Binding> bindings,
            Function<Request, Principal> principals) {
        this.id = id;
        this.principals = principals;
        this.component = component;
        this.bindings = List.copyOf(bindings);
        this.bounded = at(bindings);
    }

    /** Returns a test for requests at one of some addresses. */
    public static Predicate<Request> at(List<Binding> bindings) {
        List<Bound> bounds =
                bindings.stream()
                        .map(each ->
                                new Bound(
                                        each.host().map(HostPattern::of),
                                        each.port(),
                                        Glob.ofStars(each.pattern())))
                        .toList();
        return request -> {
            String path = RequestPath.of(request).text();
            return bounds.stream().anyMatch(each -> each.matches(request, path));
        };
    }

    /** Returns the id of the component. */
    public String id() {
        return id;
    }

    /** Returns the addresses that the component is bound to. */
    public List<Binding> bindings() {
        return bindings;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!bounded.test(request)) {
            return false;
        }
        var answer = new Answer(request, response);
        try {
            component.handle(new Asked(request, principals.apply(request)), answer);
            answer.close();
            callback.succeeded();
        } catch (UnusableBodyException e) {
            if (response.isCommitted()) {
                callback.failed(e);
            } else {
                response.reset();
                JsonReply.sendProblem(request, response, callback, e.getCode(), e.getReason());
            }
        } catch (IOException e) {
            // The client went away, or part of the answer could not be sent.
            callback.failed(e);
        } catch (MemoryRefusedException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            String problem =
                    "handler '%s' failed: class %s threw %s"
                            .formatted(id, component.getClass().getName(), e);
            LOG.error("{} {}: {}", request.getMethod(), RequestPath.of(request).raw(), problem, e);
            if (response.isCommitted()) {
                callback.failed(e);
            } else {
                response.reset();
                JsonReply.sendProblem(
                        request, response, callback, HttpStatus.INTERNAL_SERVER_ERROR_500, problem);
            }
        }
        return true;
    }

    /** A request as components see it. */
    private record Asked(Request request, Principal principal) implements HttpRequest {
        @Override
        public Caller caller() {
            return Callers.of(principal);
        }

        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return RequestPath.of(request).decoded();
        }

        @Override
        public String query() {
            String query = request.getHttpURI().getQuery();
            return query == null ? "" : query;
        }

        @Override
        public Map<String, List<String>> parameters() {
            var parameters = new LinkedHashMap<String, List<String>>();
            for (Fields.Field field : Request.extractQueryParameters(request)) {
                parameters.put(field.getName(), List.copyOf(field.getValues()));
            }
            return Collections.unmodifiableMap(parameters);
        }

        @Override
        public List<String> headers(String name) {
            return List.copyOf(request.getHeaders().getValuesList(name));
        }

        @Override
        public long length() {
            return request.getLength();
        }

        @Override
        public InputStream body() {
            return Content.Source.asInputStream(request);
        }
    }

    /** An answer as components see it. */
    private static final class Answer implements HttpResponse {
        private static final int STATUS_MIN = 200;
        private static final int STATUS_MAX = 599;

        private final Response response;
        private final OutputStream body;

        Answer(Request request, Response response) {
            this.response = response;
            // Buffered, so that small answers leave with their headers, in one write.
            this.body =
                    Content.Sink.asOutputStream(
                            Content.Sink.asBuffered(
                                    response,
                                    request.getComponents().getByteBufferPool(),
                                    true,
                                    WRITE_BYTES,
                                    WRITE_BYTES));
            response.setStatus(HttpStatus.OK_200);
        }

        @Override
        public void status(int status) {
            if (status < STATUS_MIN || status > STATUS_MAX) {
                throw new IllegalArgumentException("expected a status from 200 to 599: " + status);
            }
            checkNotSent();
            response.setStatus(status);
        }

        @Override
        public void header(String name, String value) {
            checkNotSent();
            response.getHeaders().add(name, value);
        }

        private void checkNotSent() {
            if (response.isCommitted()) {
                throw new IllegalStateException("part of the body was sent already");
            }
        }

        @Override
        public OutputStream body() {
            return body;
        }

        void close() throws IOException {
            body.close();
        }
    }
}
