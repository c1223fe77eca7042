package org.crabro.container;

import java.util.Arrays;
import java.util.List;
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
    private final String path;
    private final Handler handler;

    private record Bound(ServedPath path, Pattern pattern) {
        boolean matches(String path, int port) {
            return (this.path.port().isEmpty() || this.path.port().getAsInt() == port)
                    && pattern.matcher(path).matches();
        }
    }

    /**
     * @param path that the handler knows
     */
    BoundHandler(List<ServedPath> bindings, String path, Handler handler) {
        this.bounds =
                bindings.stream().map(each -> new Bound(each, pattern(each.pattern()))).toList();
        this.path = path;
        this.handler = handler;
    }

    private static Pattern pattern(String glob) {
        return Pattern.compile(
                Arrays.stream(glob.split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String asked = Request.getPathInContext(request);
        int port = Request.getLocalPort(request);
        return bounds.stream().anyMatch(each -> each.matches(asked, port))
                && handler.handle(new AtPath(request, path), response, callback);
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
