package org.crabro.container.access;

import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.container.access.AccessControl.Identified;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.http.RequestPath;
import org.crabro.container.http.UnreadBody;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.Principal.Groups;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Gives each request to the first of its {@linkplain Route routes} that has the path, if the sender
 * has a required permission. Rejects all others: with 401 if there are no valid credentials, 403 if
 * the permissions do not suffice, and 429 if a principal exceeds its rate. A path without a route
 * needs permission {@code admin}, and gets 404 then.
 */
public final class AccessHandler extends Handler.Sequence {
    private static final AccessEntry NOBODY =
            new AccessEntry(
                    new Principal("anonymous", new Groups.Only(Set.of()), Set.of()),
                    Optional.empty());

    private static final Handler NOTHING_HERE = new NotFoundHandler();
    private static final Demand UNOWNED_DEMAND =
            new Demand(Set.of(Permission.ADMIN), JsonReply::sendProblem);

    /** The paths of no handler: their existence is shown to administrators only. */
    private static final Route UNOWNED =
            new Route(
                    "none",
                    new Route.Paths(List.of("*"), true, _ -> true),
                    _ -> UNOWNED_DEMAND,
                    NOTHING_HERE);

    private final List<Route> routes;
    private final AccessControl access;
    private final Optional<PackageClients> clients;
    private final Optional<Handler> next;

    /** Determines the permissions that requests need. */
    public interface Demands {
        /** Returns the demand of a request. */
        Demand of(Request request);
    }

    /** Writes a refusal in the form that a request expects. */
    public interface Refusals {
        /** Sends a refusal. */
        void send(
                Request request, Response response, Callback callback, int status, String message);

        /** Returns whether {@link #send} reads the body; otherwise it is dropped before. */
        default boolean readsBody() {
            return false;
        }
    }

    /**
     * The permissions that a request needs.
     *
     * @param anyOf one of these permissions; empty if all requests pass
     * @param everyGroup whether it accesses documents of all groups; then it is rejected for a
     *     principal that is limited to some groups
     */
    public record Demand(Set<Permission> anyOf, boolean everyGroup, Refusals refusals) {
        /** Any sender. */
        public static final Demand NOTHING = new Demand(Set.of(), JsonReply::sendProblem);

        /** Any permission. */
        public static final Demand ANY =
                new Demand(EnumSet.allOf(Permission.class), JsonReply::sendProblem);

        /** The needs of a request that names its groups, or touches no documents. */
        public Demand(Set<Permission> anyOf, Refusals refusals) {
            this(anyOf, false, refusals);
        }

        public Demand {
            anyOf = Set.copyOf(anyOf);
        }

        /** Returns the needs of a request for documents. */
        public static Demand byMethod(Request request) {
            return new Demand(
                    Set.of(isRead(request) ? Permission.READ : Permission.WRITE),
                    JsonReply::sendProblem);
        }

        private static boolean isRead(Request request) {
            String method = request.getMethod();
            return HttpMethod.GET.is(method)
                    || HttpMethod.HEAD.is(method)
                    || HttpMethod.OPTIONS.is(method);
        }
    }

    /**
     * @param access the principals
     */
    public AccessHandler(List<Route> routes, AccessControl access) {
        this(routes, access, Optional.empty());
    }

    /**
     * @param access the principals
     * @param clients the clients that an application accepts in addition
     */
    public AccessHandler(
            List<Route> routes, AccessControl access, Optional<PackageClients> clients) {
        this(routes, access, clients, Optional.empty());
    }

    private AccessHandler(
            List<Route> routes,
            AccessControl access,
            Optional<PackageClients> clients,
            Optional<Handler> next) {
        super(
                Stream.concat(routes.stream().map(Route::handler), next.stream())
                        .distinct()
                        .toList());
        this.routes = List.copyOf(routes);
        this.access = access;
        this.clients = clients;
        this.next = next;
    }

    /**
     * Returns a handler that gives other requests to {@code next}, which checks their permissions
     * itself.
     */
    public static AccessHandler before(List<Route> routes, AccessControl access, Handler next) {
        return new AccessHandler(routes, access, Optional.empty(), Optional.of(next));
    }

    /** Returns the registered handlers, in the order in which they are asked. */
    public List<Route> routes() {
        return routes;
    }

    /** Returns whether every request has all rights. */
    private boolean isOpen() {
        return access.isOpen() && clients.isEmpty();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Route> match =
                routes.stream().filter(each -> each.paths().test().test(request)).findFirst();
        if (match.isEmpty() && next.isPresent()) {
            return next.get().handle(request, response, callback);
        }
        Route route = match.orElse(UNOWNED);
        Optional<String> opaque = RequestPath.of(request).opaque();
        if (opaque.isPresent() && !route.paths().hasIds()) {
            var answer = new Answer(request, response, callback, UNOWNED_DEMAND, UNOWNED.handler());
            answer.refuse(HttpStatus.BAD_REQUEST_400, opaque.get());
            return true;
        }
        Demand demand = route.demands().of(request);
        var answer = new Answer(request, response, callback, demand, route.handler());
        if (isOpen() || demand.anyOf().isEmpty()) {
            return answer.pass();
        }
        switch (access.identify(request)) {
            case Identified.Authenticated(AccessEntry entry) -> {
                return pass(withPermissionsOfPackage(entry), false, answer);
            }
            case Identified.Anonymous(AccessEntry entry) -> {
                if (clients.isPresent() && !clients.get().isFree(request, demand.anyOf())) {
                    return pass(NOBODY, true, answer);
                }
                return pass(entry, true, answer);
            }
            case Identified.UnknownToken() ->
                    answer.challenge("Bearer error=\"invalid_token\"", "the token is unknown");
            case Identified.UnknownCertificate(X509Certificate certificate) -> {
                Optional<AccessEntry> client = client(certificate);
                if (client.isPresent()) {
                    return pass(client.get(), false, answer);
                }
                answer.refuse(
                        HttpStatus.FORBIDDEN_403,
                        "no principal has the certificate of '%s'"
                                .formatted(certificate.getSubjectX500Principal().getName()));
            }
        }
        return true;
    }

    /**
     * Adds the permissions of the application's clients to a principal without permissions in the
     * access file.
     */
    private AccessEntry withPermissionsOfPackage(AccessEntry entry) {
        Principal principal = entry.principal();
        if (clients.isEmpty() || !principal.permissions().isEmpty()) {
            return entry;
        }
        Set<Permission> given = clients.get().tokens().getOrDefault(principal.name(), Set.of());
        return new AccessEntry(
                new Principal(principal.name(), principal.groups(), given), entry.rate());
    }

    /** Returns the client of an application that has a certificate. */
    private Optional<AccessEntry> client(X509Certificate certificate) {
        if (clients.isEmpty()) {
            return Optional.empty();
        }
        if (access.isOpen() && !clients.get().named()) {
            // The port trusts the certificate, and no rule limits it.
            return Optional.of(new AccessEntry(Principal.EVERYONE, Optional.empty()));
        }
        return Optional.ofNullable(clients.get().certificates().get(certificate))
                .map(client ->
                        new AccessEntry(
                                new Principal(
                                        client.id(), new Groups.Every(), client.permissions()),
                                Optional.empty()));
    }

    private boolean pass(AccessEntry entry, boolean isAnonymous, Answer answer) throws Exception {
        if (answer.demand.anyOf().stream().noneMatch(entry.principal()::may)) {
            String needed =
                    answer.demand.anyOf().stream()
                            .sorted()
                            .map(Permission::shown)
                            .collect(Collectors.joining(" or "));
            if (isAnonymous) {
                answer.challenge(
                        "Bearer", "this needs a token or a certificate with permission " + needed);
            } else {
                answer.refuse(
                        HttpStatus.FORBIDDEN_403,
                        "'%s' lacks permission %s".formatted(entry.principal().name(), needed));
            }
            return true;
        }
        if (answer.demand.everyGroup() && !(entry.principal().groups() instanceof Groups.Every)) {
            answer.refuse(
                    HttpStatus.FORBIDDEN_403,
                    "'%s' may not touch all groups".formatted(entry.principal().name()));
            return true;
        }
        long wait = entry.rate().map(rate -> rate.take(System.nanoTime())).orElse(0L);
        if (wait > 0) {
            answer.retryLater(entry.principal().name(), wait);
            return true;
        }
        AccessControl.identified(answer.request, entry.principal());
        return answer.pass();
    }

    /** The answer to one request. */
    private record Answer(
            Request request, Response response, Callback callback, Demand demand, Handler handler) {
        /** Passes the request to its handler, which owns the path. */
        boolean pass() throws Exception {
            return handler.handle(request, response, callback)
                    || NOTHING_HERE.handle(request, response, callback);
        }

        void challenge(String scheme, String message) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, scheme);
            refuse(HttpStatus.UNAUTHORIZED_401, message);
        }

        void retryLater(String principal, long nanos) {
            response.getHeaders()
                    .put(
                            HttpHeader.RETRY_AFTER,
                            Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos + 999_999_999)));
            refuse(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "'%s' sends more requests than the access file allows".formatted(principal));
        }

        void refuse(int status, String message) {
            if (demand.refusals().readsBody()) {
                demand.refusals().send(request, response, callback, status, message);
                return;
            }
            UnreadBody.drain(
                    request,
                    response,
                    callback,
                    sent -> demand.refusals().send(request, response, sent, status, message));
        }
    }
}
