package org.crabro.container;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.crabro.config.services.ServedPath;
import org.crabro.container.http.HostPattern;
import org.crabro.container.http.RequestPath;
import org.crabro.text.Glob;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Binds a handler to the paths of a package, instead of its own path. Other requests go to the next
 * handler.
 */
final class BoundHandler extends Handler.Abstract {
    private final List<Bound> bounds;
    private final Function<RequestPath, String> handlerPath;
    private final Handler handler;

    private record Bound(
            ServedPath path, Optional<HostPattern> host, Predicate<RequestPath> matched) {
        Bound(ServedPath path, Predicate<RequestPath> matched) {
            this(path, path.host().map(HostPattern::of), matched);
        }

        boolean matches(Request request, RequestPath asked) {
            return (path.port().isEmpty()
                            || path.port().getAsInt() == Request.getLocalPort(request))
                    && (host.isEmpty() || host.get().matches(request))
                    && matched.test(asked);
        }

        static Bound whole(ServedPath path) {
            Glob pattern = Glob.ofStars(path.pattern());
            return new Bound(path, asked -> pattern.matches(asked.text()));
        }

        static Bound root(ServedPath path) {
            String root = path.pattern();
            return new Bound(
                    path,
                    asked ->
                            asked.documents()
                                    .filter(documents -> root.equals(documents.root() + "/"))
                                    .isPresent());
        }
    }

    /**
     * @param handlerPath returns the path of the handler for the path of a request
     */
    private BoundHandler(
            List<Bound> bounds, Function<RequestPath, String> handlerPath, Handler handler) {
        this.bounds = bounds;
        this.handlerPath = handlerPath;
        this.handler = handler;
    }

    /**
     * Returns a handler that answers at {@code bindings}.
     *
     * @param path of {@code handler}
     */
    static BoundHandler at(List<ServedPath> bindings, String path, Handler handler) {
        return new BoundHandler(bindings.stream().map(Bound::whole).toList(), _ -> path, handler);
    }

    /**
     * Returns a handler that answers below {@code roots} like {@code handler} below {@code
     * /document/v1}. Paths of documents contain ids, so they stay encoded.
     */
    static BoundHandler below(List<ServedPath> roots, Handler handler) {
        return new BoundHandler(
                roots.stream().map(Bound::root).toList(),
                asked -> asked.documents().orElseThrow().path(),
                handler);
    }

    /** Returns a test for requests at {@code paths}. */
    static Predicate<Request> matching(List<ServedPath> paths) {
        List<Bound> bounds = paths.stream().map(Bound::whole).toList();
        return request -> matches(bounds, request);
    }

    private static boolean matches(List<Bound> bounds, Request request) {
        RequestPath path = RequestPath.of(request);
        return bounds.stream().anyMatch(bound -> bound.matches(request, path));
    }

    /** Returns whether a request is at one of the bound paths. */
    boolean isBound(Request request) {
        return matches(bounds, request);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isBound(request)) {
            return false;
        }
        String path = handlerPath.apply(RequestPath.of(request));
        return handler.handle(
                path.equals(request.getHttpURI().getPath()) ? request : new AtPath(request, path),
                response,
                callback);
    }

    /** The same request at another path. */
    private static final class AtPath extends Request.Wrapper {
        private final HttpURI uri;

        AtPath(Request request, String path) {
            super(request);
            this.uri = HttpURI.build(request.getHttpURI()).path(path).asImmutable();
        }

        @Override
        public HttpURI getHttpURI() {
            return uri;
        }
    }
}
