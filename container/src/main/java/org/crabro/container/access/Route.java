package org.crabro.container.access;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.crabro.container.access.AccessHandler.Demands;
import org.crabro.container.http.RequestPath;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;

/**
 * A handler, the requests that it answers, and the permissions that they need. One match decides
 * all of them.
 *
 * @param name of the handler, as status pages show it
 */
public record Route(String name, Paths paths, Demands demands, Handler handler) {
    /** Registers a handler under the name of its class. */
    public Route(Handler handler, Paths paths, Demands demands) {
        this(handler.getClass().getName(), paths, demands, handler);
    }

    /**
     * The requests that a handler answers.
     *
     * @param shown their paths, as status pages show them; {@code *} stands for any text
     * @param hasIds whether ids of documents are part of the paths. Other handlers get no path that
     *     only an id makes valid
     */
    public record Paths(List<String> shown, boolean hasIds, Predicate<Request> test) {
        public Paths {
            shown = List.copyOf(shown);
        }

        /** Exactly these paths. */
        public static Paths at(String... paths) {
            List<String> all = List.of(paths);
            return new Paths(all, false, request -> all.contains(RequestPath.of(request).text()));
        }

        /** These paths and all below them. */
        public static Paths below(String... roots) {
            List<String> all = List.of(roots);
            return new Paths(
                    Arrays.stream(roots).map(root -> root + "/*").toList(),
                    false,
                    request -> all.stream().anyMatch(RequestPath.of(request)::isBelow));
        }

        /** All paths that begin with {@code start}, which ends in a slash. */
        public static Paths in(String start) {
            return new Paths(
                    List.of(start + "*"),
                    false,
                    request -> RequestPath.of(request).text().startsWith(start));
        }

        /** The same requests, also those with an id in the path. */
        public Paths withIds() {
            return new Paths(shown, true, test);
        }
    }
}
