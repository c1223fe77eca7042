package org.crabro.container.admin;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.http.UnreadBody;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import tools.jackson.core.JsonGenerator;

/** A request to the deploy API, and its answer. */
record AdminExchange(Request request, Response response, Callback callback) {
    /** Answers with status 200 and the JSON that {@code body} writes. */
    void send(Consumer<JsonGenerator> body) {
        JsonReply.send(response, callback, HttpStatus.OK_200, body);
    }

    void send(int status, Consumer<JsonGenerator> body) {
        JsonReply.send(response, callback, status, body);
    }

    void message(String message) {
        JsonReply.send(response, callback, HttpStatus.OK_200, "message", message);
    }

    void fail(AdminError error, String message) {
        error.send(response, callback, message);
    }

    /** Answers that the body is too large, and reads the rest of it. */
    void tooLarge(String message) {
        UnreadBody.drain(
                request,
                response,
                callback,
                sent -> AdminError.REQUEST_TOO_LARGE.send(response, sent, message));
    }

    /** Answers that the client should retry soon. */
    void tooMany(String message) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        fail(AdminError.TOO_MANY_UPLOADS, message);
    }

    /** Returns whether the request has one of {@code methods}; answers it if not. */
    boolean allows(HttpMethod... methods) {
        boolean isAllowed =
                Arrays.stream(methods)
                        .anyMatch(method ->
                                method.is(request.getMethod())
                                        || (method == HttpMethod.GET && isHead()));
        if (!isAllowed) {
            String names =
                    Arrays.stream(methods)
                            .map(HttpMethod::asString)
                            .collect(Collectors.joining(", "));
            response.getHeaders().put(HttpHeader.ALLOW, names);
            fail(
                    AdminError.METHOD_NOT_ALLOWED,
                    "%s is not allowed at %s, only %s"
                            .formatted(request.getMethod(), path(), names));
        }
        return isAllowed;
    }

    boolean isHead() {
        return HttpMethod.HEAD.is(request.getMethod());
    }

    boolean is(HttpMethod method) {
        return method.is(request.getMethod());
    }

    /** Returns the decoded path. */
    String path() {
        return path(request);
    }

    static String path(Request request) {
        return RequestPath.of(request).text();
    }

    Fields parameters() {
        return Request.extractQueryParameters(request);
    }

    boolean isTrue(String parameter) {
        return "true".equals(parameters().getValue(parameter));
    }

    /** Returns the URL of the application, with the host of the request. */
    String application(ApplicationName name) {
        return "%s/application/%s/environment/prod/region/default/instance/%s"
                .formatted(tenant(name.tenant()), name.application(), name.instance());
    }

    /** Returns the URL of a session, with the host of the request. */
    String session(String tenant, long number) {
        return tenant(tenant) + "/session/" + number;
    }

    private String tenant(String name) {
        return "%s://%s:%d%stenant/%s"
                .formatted(
                        request.getHttpURI().getScheme(),
                        Request.getServerName(request),
                        Request.getServerPort(request),
                        AdminPath.ROOT,
                        name);
    }
}
