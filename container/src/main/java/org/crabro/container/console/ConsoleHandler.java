package org.crabro.container.console;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.Route;
import org.crabro.container.access.Route.Paths;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.mcp.SchemaDescription;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers {@code /console/}: files, and below {@code /console/api/} what the pages read. Other
 * requests go to the next handler.
 *
 * <p>Queries and documents are answered by a container, at two fixed paths. No request names a
 * host, and documents can only be read.
 */
public final class ConsoleHandler extends Handler.Abstract {
    static final String ROOT = "/console/";
    static final String API = ROOT + "api/";
    static final String STATUS = API + "status";
    static final String SCHEMAS = API + "schemas";
    static final String METRICS = API + "metrics";
    static final String SECONDS = API + "seconds";
    static final String GROUPS = API + "groups";
    static final String HISTORY = API + "history";
    static final String SEARCH = API + "search";
    static final String DOCUMENTS = API + "document/v1/";

    private static final String QUERIES_OF_CONTAINER = "/search/";
    private static final String GROUPS_OF_CONTAINER = "/crabro/v1/groups";

    /** The parameter of {@link #SECONDS}: only samples after this time. */
    private static final String AFTER = "after";

    /** Nothing is loaded from another origin, and no script or style is part of a page. */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Demand ALL_BUT_WRITE =
            anyOf(Permission.READ, Permission.DEPLOY, Permission.ADMIN);

    /** Metrics count the documents and requests of all groups. */
    private static final Demand READ_OR_ADMIN =
            new Demand(Set.of(Permission.READ, Permission.ADMIN), true, JsonReply::sendProblem);

    private static final Demand DEPLOY_OR_ADMIN = anyOf(Permission.DEPLOY, Permission.ADMIN);

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** Headers that proxies add. */
    private static final List<String> OF_PROXIES =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Via");

    private final ConsoleParts parts;
    private final ConsoleFiles files = ConsoleFiles.ofResources();

    public ConsoleHandler(ConsoleParts parts) {
        this.parts = parts;
    }

    /**
     * Returns the registration of this handler. Files of the console need no permission, because
     * they have no data. Queries and documents need none here, because the container checks their
     * sender.
     */
    public List<Route> routes() {
        if (parts.use() == ConsoleUse.OFF) {
            return List.of();
        }
        String[] pages =
                Stream.concat(
                                Stream.of("/console", ROOT),
                                ConsoleFiles.NAMES.stream().map(ROOT::concat))
                        .toArray(String[]::new);
        return List.of(
                new Route(this, Paths.at(STATUS), _ -> Demand.ANY),
                new Route(this, Paths.at(SCHEMAS), _ -> ALL_BUT_WRITE),
                new Route(this, Paths.at(METRICS), _ -> READ_OR_ADMIN),
                new Route(this, Paths.at(SECONDS), _ -> READ_OR_ADMIN),
                new Route(this, Paths.at(GROUPS), _ -> Demand.NOTHING),
                new Route(this, Paths.at(HISTORY), _ -> DEPLOY_OR_ADMIN),
                new Route(this, Paths.at(SEARCH), _ -> Demand.NOTHING),
                new Route(this, Paths.in(DOCUMENTS).withIds(), _ -> Demand.NOTHING),
                new Route(
                        this,
                        new Paths(List.of(ROOT + "*"), false, Paths.at(pages).test()),
                        _ -> Demand.NOTHING));
    }

    private static Demand anyOf(Permission... permissions) {
        return new Demand(Set.of(permissions), JsonReply::sendProblem);
    }

    private static String path(Request request) {
        return RequestPath.of(request).text();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = path(request);
        if (parts.use() == ConsoleUse.OFF || !(path.startsWith(ROOT) || path.equals("/console"))) {
            return false;
        }
        var headers = response.getHeaders();
        headers.put("Content-Security-Policy", POLICY);
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        if (parts.use() == ConsoleUse.LOOPBACK && !isFromThisMachine(request)) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.FORBIDDEN_403,
                    "message",
                    "the console is for browsers on the server's machine; start the server with"
                            + " --set config.console=open to open it");
        } else if (path.startsWith(API)) {
            headers.put(HttpHeader.CACHE_CONTROL, "no-store");
            answer(path, request, response, callback);
        } else if (allows(request, response, callback, HttpMethod.GET, HttpMethod.HEAD)) {
            file(path, request, response, callback);
        }
        return true;
    }

    private static boolean isFromThisMachine(Request request) {
        SocketAddress sender = request.getConnectionMetaData().getRemoteSocketAddress();
        return sender instanceof InetSocketAddress internet
                && internet.getAddress() != null
                && internet.getAddress().isLoopbackAddress()
                && LOCAL_NAMES.contains(Request.getServerName(request))
                && OF_PROXIES.stream().noneMatch(request.getHeaders()::contains);
    }

    private static boolean allows(
            Request request, Response response, Callback callback, HttpMethod... methods) {
        List<String> names = Arrays.stream(methods).map(HttpMethod::asString).toList();
        if (names.contains(request.getMethod())) {
            return true;
        }
        response.getHeaders().put(HttpHeader.ALLOW, String.join(", ", names));
        JsonReply.send(
                response,
                callback,
                HttpStatus.METHOD_NOT_ALLOWED_405,
                "message",
                "%s is not allowed at %s, only %s"
                        .formatted(request.getMethod(), path(request), String.join(", ", names)));
        return false;
    }

    private void file(String path, Request request, Response response, Callback callback) {
        if (path.equals("/console")) {
            response.getHeaders().put(HttpHeader.LOCATION, ROOT);
            response.setStatus(HttpStatus.PERMANENT_REDIRECT_308);
            response.write(true, ByteBuffer.allocate(0), callback);
        } else if (!files.send(path.substring(ROOT.length()), request, response, callback)) {
            missing(path, response, callback);
        }
    }

    private static void missing(String path, Response response, Callback callback) {
        JsonReply.send(
                response,
                callback,
                HttpStatus.NOT_FOUND_404,
                "message",
                "the console has no " + path);
    }

    /**
     * Returns whether a request is for something that is the same on all config servers, and that
     * only the one that leads knows. Metrics are those of each server.
     */
    public static boolean isOfApplication(Request request) {
        String path = path(request);
        return path.startsWith(API) && !path.equals(METRICS) && !path.equals(SECONDS);
    }

    private void answer(String path, Request request, Response response, Callback callback)
            throws Exception {
        Optional<Handler> leader =
                isOfApplication(request) ? parts.leader().get() : Optional.empty();
        if (leader.isPresent()) {
            leader.get().handle(request, response, callback);
            return;
        }
        switch (path) {
            case STATUS -> read(request, response, callback, json -> status(request, json));
            case METRICS ->
                    read(request, response, callback, parts.server().metrics().history()::write);
            case SECONDS -> seconds(request, response, callback);
            case GROUPS -> groups(request, response, callback);
            case HISTORY -> read(request, response, callback, this::history);
            case SCHEMAS -> schemas(request, response, callback);
            case SEARCH -> {
                if (allows(request, response, callback, HttpMethod.POST)) {
                    pass(
                            parts.container().map(ContainerRequests::queries),
                            new AtPath(request, QUERIES_OF_CONTAINER, null),
                            response,
                            callback);
                }
            }
            default -> {
                if (!path.startsWith(DOCUMENTS)) {
                    missing(path, response, callback);
                } else if (allows(request, response, callback, HttpMethod.GET, HttpMethod.HEAD)) {
                    documents(request, response, callback);
                }
            }
        }
    }

    private static void read(
            Request request, Response response, Callback callback, Consumer<JsonGenerator> body) {
        if (allows(request, response, callback, HttpMethod.GET, HttpMethod.HEAD)) {
            JsonReply.send(response, callback, HttpStatus.OK_200, body);
        }
    }

    private void schemas(Request request, Response response, Callback callback) {
        if (!allows(request, response, callback, HttpMethod.GET, HttpMethod.HEAD)) {
            return;
        }
        var model = parts.model().get();
        if (model.isEmpty()) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.NOT_FOUND_404,
                    "message",
                    "no application is deployed");
            return;
        }
        JsonReply.send(
                response,
                callback,
                HttpStatus.OK_200,
                SchemaDescription.of(model.get()).getBytes(StandardCharsets.UTF_8));
    }

    private void seconds(Request request, Response response, Callback callback) {
        String text =
                Optional.ofNullable(Request.extractQueryParameters(request).getValue(AFTER))
                        .orElse("0");
        double after;
        try {
            after = Double.parseDouble(text);
        } catch (NumberFormatException _) {
            after = Double.NaN;
        }
        if (Double.isFinite(after)) {
            double from = after;
            read(
                    request,
                    response,
                    callback,
                    json -> parts.server().metrics().seconds().write(json, from));
        } else {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "message",
                    "expected a time in seconds since 1970 in '%s' but found '%s'"
                            .formatted(AFTER, text));
        }
    }

    private void groups(Request request, Response response, Callback callback) throws Exception {
        if (allows(request, response, callback, HttpMethod.GET)) {
            pass(
                    parts.container().map(ContainerRequests::documents),
                    new AtPath(request, GROUPS_OF_CONTAINER, request.getHttpURI().getQuery()),
                    response,
                    callback);
        }
    }

    private void documents(Request request, Response response, Callback callback) throws Exception {
        var inner =
                new AtPath(
                        request,
                        RequestPath.of(request).documents().orElseThrow().path(),
                        request.getHttpURI().getQuery());
        pass(parts.container().map(ContainerRequests::documents), inner, response, callback);
    }

    private static void pass(
            Optional<Handler> handler, Request inner, Response response, Callback callback)
            throws Exception {
        if (handler.isEmpty()) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.NOT_IMPLEMENTED_501,
                    "message",
                    "this config server has no container; queries and documents in its console are not"
                            + " built");
        } else if (!handler.get().handle(inner, response, callback)) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.NOT_FOUND_404,
                    "message",
                    "the active application does not answer at " + path(inner));
        }
    }

    private void status(Request request, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("version", parts.server().version());
        parts.model()
                .get()
                .ifPresent(model -> {
                    ApplicationName name = model.name();
                    json.writeObjectPropertyStart("application");
                    json.writeNumberProperty("generation", model.generation());
                    json.writeStringProperty("tenant", name.tenant());
                    json.writeStringProperty("application", name.application());
                    json.writeStringProperty("instance", name.instance());
                    json.writeEndObject();
                });
        json.writeBooleanProperty("hasContainer", parts.container().isPresent());
        if (!parts.server().access().isOpen()) {
            Principal sender = AccessControl.principal(request);
            json.writeObjectPropertyStart("user");
            json.writeStringProperty("name", sender.name());
            json.writeArrayPropertyStart("permissions");
            sender.permissions().stream()
                    .map(Permission::shown)
                    .sorted()
                    .forEach(json::writeString);
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void history(JsonGenerator json) {
        json.writeStartObject();
        json.writeArrayPropertyStart("events");
        for (ConsoleEvent event : parts.history().get()) {
            json.writeStartObject();
            json.writeStringProperty("time", event.time().toString());
            json.writeStringProperty("kind", event.kind());
            json.writeNumberProperty("generation", event.generation());
            json.writeStringProperty("application", event.application());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The same request at a path of the container. */
    private static final class AtPath extends Request.Wrapper {
        private final HttpURI uri;

        AtPath(Request request, String path, @Nullable String query) {
            super(request);
            this.uri = HttpURI.build(request.getHttpURI()).path(path).query(query).asImmutable();
        }

        @Override
        public HttpURI getHttpURI() {
            return uri;
        }
    }
}
