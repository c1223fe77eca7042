package org.crabro.container;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import org.crabro.config.services.ServedPath;
import org.crabro.container.http.HostPattern;
import org.crabro.container.http.WildcardPattern;
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
    private final Function<Request, String> asked;
    private final Function<String, String> known;
    private final Handler handler;

    private record Bound(
            ServedPath path, Optional<HostPattern> host, Function<String, OptionalInt> matched) {
        Bound(ServedPath path, Function<String, OptionalInt> matched) {
            this(path, path.host().map(HostPattern::of), matched);
        }

        /** Returns the length of the path that matches; empty if none does. */
        OptionalInt matched(Request request, String asked) {
            boolean isHere =
                    (path.port().isEmpty()
                                    || path.port().getAsInt() == Request.getLocalPort(request))
                            && (host.isEmpty() || host.get().matches(request));
            return isHere ? matched.apply(asked) : OptionalInt.empty();
        }

        static Bound whole(ServedPath path) {
            WildcardPattern pattern = WildcardPattern.of(path.pattern());
            return new Bound(
                    path,
                    asked ->
                            pattern.matches(asked)
                                    ? OptionalInt.of(asked.length())
                                    : OptionalInt.empty());
        }

        static Bound root(ServedPath path) {
            String root = path.pattern();
            return new Bound(
                    path,
                    asked ->
                            asked.startsWith(root)
                                    ? OptionalInt.of(root.length())
                                    : OptionalInt.empty());
        }
    }

    /**
     * @param asked returns the path of a request
     * @param known returns the path of the handler for the rest of a path, after the bound part
     */
    private BoundHandler(
            List<Bound> bounds,
            Function<Request, String> asked,
            Function<String, String> known,
            Handler handler) {
        this.bounds = bounds;
        this.asked = asked;
        this.known = known;
        this.handler = handler;
    }

    /**
     * Returns a handler that answers at {@code bindings}.
     *
     * @param path of {@code handler}
     */
    static BoundHandler at(List<ServedPath> bindings, String path, Handler handler) {
        return new BoundHandler(
                bindings.stream().map(Bound::whole).toList(),
                Request::getPathInContext,
                _ -> path,
                handler);
    }

    /**
     * Returns a handler that answers below {@code roots} like {@code handler} below the root. Paths
     * of documents contain ids, so they stay encoded.
     */
    static BoundHandler below(List<ServedPath> roots, Handler handler) {
        return new BoundHandler(
                roots.stream().map(Bound::root).toList(),
                request -> request.getHttpURI().getPath(),
                rest -> "/" + rest,
                handler);
    }

    /** Returns a test for requests at {@code paths}. */
    static Predicate<Request> matching(List<ServedPath> paths) {
        List<Bound> bounds = paths.stream().map(Bound::whole).toList();
        return request -> {
            String path = Request.getPathInContext(request);
            return bounds.stream().anyMatch(bound -> bound.matched(request, path).isPresent());
        };
    }

    /** Returns whether a request is at one of the bound paths. */
    boolean isBound(Request request) {
        String path = asked.apply(request);
        return bounds.stream().anyMatch(bound -> bound.matched(request, path).isPresent());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = asked.apply(request);
        for (Bound bound : bounds) {
            OptionalInt matched = bound.matched(request, path);
            if (matched.isPresent()
                    && handler.handle(
                            new AtPath(request, known.apply(path.substring(matched.getAsInt()))),
                            response,
                            callback)) {
                return true;
            }
        }
        return false;
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
