package org.crabro.container;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.config.services.ServedPath;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers at the paths that a package says, in place of the one that a handler knows. Leaves every
 * other request to the next handler.
 */
final class BoundHandler extends Handler.Abstract {
    private final List<Bound> bounds;
    private final Function<Request, String> asked;
    private final Function<String, String> known;
    private final Handler handler;

    private record Bound(ServedPath path, Optional<Pattern> host, Pattern pattern) {
        /**
         * @param isWhole whether the pattern is of whole paths, and not of what they begin with
         */
        static Bound of(ServedPath path, boolean isWhole) {
            return new Bound(
                    path, path.host().map(host -> glob(host, true)), glob(path.pattern(), isWhole));
        }

        /** Returns how much of the path the pattern stands for, or -1 where it does not. */
        int matched(Request request, String asked) {
            if (path.port().isPresent()
                    && path.port().getAsInt() != Request.getLocalPort(request)) {
                return -1;
            }
            if (host.isPresent() && !host.get().matcher(Request.getServerName(request)).matches()) {
                return -1;
            }
            Matcher matcher = pattern.matcher(asked);
            return matcher.lookingAt() ? matcher.end() : -1;
        }
    }

    /**
     * @param asked which path a request asks for
     * @param known what the handler takes for the rest of a path, behind what was bound
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
     * @param path that {@code handler} knows
     */
    static BoundHandler at(List<ServedPath> bindings, String path, Handler handler) {
        return new BoundHandler(
                bindings.stream().map(each -> Bound.of(each, true)).toList(),
                Request::getPathInContext,
                _ -> path,
                handler);
    }

    /**
     * Returns a handler that answers below {@code roots} what {@code handler} does below the root.
     * Paths of documents hold ids, and stay encoded as they were sent.
     */
    static BoundHandler below(List<ServedPath> roots, Handler handler) {
        return new BoundHandler(
                roots.stream().map(each -> Bound.of(each, false)).toList(),
                request -> request.getHttpURI().getPath(),
                rest -> "/" + rest,
                handler);
    }

    private static Pattern glob(String glob, boolean isWhole) {
        return Pattern.compile(
                Arrays.stream(glob.split("\\*", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*"))
                        + (isWhole ? "\\z" : ""),
                Pattern.DOTALL);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = asked.apply(request);
        for (Bound bound : bounds) {
            int matched = bound.matched(request, path);
            if (matched >= 0
                    && handler.handle(
                            new AtPath(request, known.apply(path.substring(matched))),
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
