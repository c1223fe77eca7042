package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.crabro.config.application.PackageArchive.Format;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers everything below {@code /application/v2/}, and leaves every other request to the next
 * handler.
 *
 * <p>Blocks while a package is received and compiled, so it runs on the server's virtual threads.
 */
final class AdminHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);

    private final Deployments deployments;
    private final long maxPackageBytes;
    private final InstantSource clock;

    /**
     * @param maxPackageBytes larger packages, as they are sent, are refused
     */
    AdminHandler(Deployments deployments, long maxPackageBytes, InstantSource clock) {
        this.deployments = deployments;
        this.maxPackageBytes = maxPackageBytes;
        this.clock = clock;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.startsWith(AdminPath.ROOT)) {
            return false;
        }
        try {
            handle(AdminPath.parse(path), request, response, callback);
        } catch (Exception e) {
            // The root of a request: whatever was forgotten ends here, in the log.
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.error("{} {} failed", request.getMethod(), path, e);
            AdminError.INTERNAL_SERVER_ERROR.send(
                    response,
                    callback,
                    "internal error; the server's log says more, and serviceconverge which generation"
                            + " is served");
        }
        return true;
    }

    private void handle(AdminPath path, Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        switch (path) {
            case AdminPath.PrepareAndActivate() -> {
                if (allows(HttpMethod.POST, request, response, callback)) {
                    deploy(request, response, callback);
                }
            }
            case AdminPath.Tenants() -> {
                if (allows(HttpMethod.GET, request, response, callback)) {
                    JsonReply.send(response, callback, HttpStatus.OK_200, AdminJson::tenants);
                }
            }
            case AdminPath.Tenant() -> {
                if (allows(HttpMethod.GET, request, response, callback)) {
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.OK_200,
                            "message",
                            "Tenant 'default' exists.");
                }
            }
            case AdminPath.Applications() -> {
                if (allows(HttpMethod.GET, request, response, callback)) {
                    boolean some = deployments.active().isPresent();
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.OK_200,
                            json -> AdminJson.applications(json, some, url(request)));
                }
            }
            case AdminPath.Application() -> {
                if (allows(HttpMethod.GET, request, response, callback)) {
                    application(response, callback);
                }
            }
            case AdminPath.ServiceConverge() -> {
                if (allows(HttpMethod.GET, request, response, callback)) {
                    serviceConverge(request, response, callback);
                }
            }
            case AdminPath.NotBuilt(var what) ->
                    AdminError.NOT_FOUND.send(response, callback, "not built yet: " + what);
            case AdminPath.Unknown(var problem) ->
                    AdminError.NOT_FOUND.send(response, callback, problem);
        }
    }

    private static boolean allows(
            HttpMethod method, Request request, Response response, Callback callback) {
        boolean allowed =
                method.is(request.getMethod())
                        || (method == HttpMethod.GET && HttpMethod.HEAD.is(request.getMethod()));
        if (!allowed) {
            response.getHeaders().put(HttpHeader.ALLOW, method.asString());
            AdminError.METHOD_NOT_ALLOWED.send(
                    response,
                    callback,
                    "%s is not allowed at %s, only %s"
                            .formatted(
                                    request.getMethod(),
                                    Request.getPathInContext(request),
                                    method.asString()));
        }
        return allowed;
    }

    private void deploy(Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        Fields parameters = Request.extractQueryParameters(request);
        Optional<String> wrongName = wrongName(parameters);
        if (wrongName.isPresent()) {
            AdminError.BAD_REQUEST.send(response, callback, wrongName.get());
            return;
        }
        Optional<Format> format = PackageUpload.format(request);
        if (format.isEmpty()) {
            AdminError.BAD_REQUEST.send(response, callback, PackageUpload.unknownFormat(request));
            return;
        }
        Optional<DeployReply> reply = deploy(request, format.get(), !isTrue(parameters, "dryRun"));
        if (reply.isPresent()) {
            send(reply.get(), isTrue(parameters, "verbose"), request, response, callback);
        } else {
            AdminError.REQUEST_TOO_LARGE.send(
                    response,
                    callback,
                    "the package is larger than the limit of %,d bytes".formatted(maxPackageBytes));
        }
    }

    /** Returns what became of the package, or nothing where it is too large. */
    private Optional<DeployReply> deploy(Request request, Format format, boolean activates)
            throws IOException, InterruptedException {
        Path upload = deployments.newUpload();
        try {
            return PackageUpload.receive(request, upload, maxPackageBytes)
                    ? Optional.of(deployments.deploy(upload, format, activates))
                    : Optional.empty();
        } finally {
            Files.deleteIfExists(upload);
        }
    }

    /** There is one application; a name of another would be taken for it silently. */
    private static Optional<String> wrongName(Fields parameters) {
        for (String parameter : new String[] {"applicationName", "instance"}) {
            String name = parameters.getValue(parameter);
            if (name != null && !name.equals(AdminPath.DEFAULT)) {
                return Optional.of(
                        "%s '%s': there is one application, called default, with one instance,"
                                        .formatted(parameter, name)
                                + " called default");
            }
        }
        return Optional.empty();
    }

    private static boolean isTrue(Fields parameters, String name) {
        return "true".equals(parameters.getValue(name));
    }

    private void send(
            DeployReply reply,
            boolean verbose,
            Request request,
            Response response,
            Callback callback) {
        switch (reply) {
            case DeployReply.Deployed deployed ->
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.OK_200,
                            json ->
                                    AdminJson.deployed(
                                            json, deployed, verbose, clock.millis(), url(request)));
            case DeployReply.Invalid(var message) ->
                    AdminError.INVALID_APPLICATION_PACKAGE.send(response, callback, message);
            case DeployReply.Busy(var waited) ->
                    AdminError.APPLICATION_LOCK_FAILURE.send(
                            response,
                            callback,
                            "another deployment was under way for %d seconds; try again"
                                    .formatted(waited.toSeconds()));
        }
    }

    private void application(Response response, Callback callback) {
        Optional<ApplicationModel> active = deployments.active();
        if (active.isEmpty()) {
            sendNothingDeployed(response, callback);
            return;
        }
        JsonReply.send(
                response,
                callback,
                HttpStatus.OK_200,
                json -> AdminJson.application(json, active.get()));
    }

    private void serviceConverge(Request request, Response response, Callback callback) {
        Optional<ApplicationModel> active = deployments.active();
        if (active.isEmpty()) {
            sendNothingDeployed(response, callback);
            return;
        }
        JsonReply.send(
                response,
                callback,
                HttpStatus.OK_200,
                json ->
                        AdminJson.serviceConverge(
                                json,
                                active.get().generation(),
                                deployments.services(),
                                url(request)));
    }

    private static void sendNothingDeployed(Response response, Callback callback) {
        AdminError.NOT_FOUND.send(
                response,
                callback,
                "no application is deployed: post a package to "
                        + AdminPath.ROOT
                        + "tenant/default/prepareandactivate");
    }

    /** Returns where the application is told of, as the client reaches us. */
    private static String url(Request request) {
        return "%s://%s:%d%stenant/default/application/default/environment/prod/region/default/instance/default"
                .formatted(
                        request.getHttpURI().getScheme(),
                        Request.getServerName(request),
                        Request.getServerPort(request),
                        AdminPath.ROOT);
    }
}
