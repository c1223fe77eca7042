package org.crabro.container.admin;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
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
    private final DeployEndpoint deploying;
    private final ContentEndpoint content;
    private final LogEndpoint logs;
    private final ReindexEndpoint reindexing;

    /**
     * @param register which documents are to go through their scripts again
     * @param maxPackageBytes larger packages, as they are sent, are refused, and larger files
     * @param clock when notices are told
     */
    AdminHandler(
            Deployments deployments,
            ReindexRegister register,
            long maxPackageBytes,
            LogRing logs,
            InstantSource clock) {
        this.deployments = deployments;
        var replies = new DeployReplies(clock);
        this.deploying = new DeployEndpoint(deployments, replies, maxPackageBytes);
        this.reindexing = new ReindexEndpoint(deployments, register);
        this.logs = new LogEndpoint(logs);
        this.content = new ContentEndpoint(deployments, replies, maxPackageBytes);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // As it was sent: names of files are decoded part by part, so that none leaves its package.
        String path = AdminExchange.path(request);
        if (!path.startsWith(AdminPath.ROOT)) {
            return false;
        }
        var exchange = new AdminExchange(request, response, callback);
        try {
            handle(AdminPath.parse(path), exchange);
        } catch (Exception e) {
            // The root of a request: whatever was forgotten ends here, in the log.
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.error("{} {} failed", request.getMethod(), path, e);
            exchange.fail(
                    AdminError.INTERNAL_SERVER_ERROR,
                    "internal error; the server's log says more, and serviceconverge which generation"
                            + " is served");
        }
        return true;
    }

    private void handle(AdminPath path, AdminExchange exchange)
            throws IOException, InterruptedException {
        switch (path) {
            case AdminPath.PrepareAndActivate() -> deploying.prepareAndActivate(exchange);
            case AdminPath.NewSession() -> deploying.create(exchange);
            case AdminPath.SessionPrepared(var session) -> deploying.prepare(exchange, session);
            case AdminPath.SessionActive(var session) -> deploying.activate(exchange, session);
            case AdminPath.Content file -> content.handle(exchange, file);
            case AdminPath.Tenants() -> {
                if (exchange.allows(HttpMethod.GET)) {
                    exchange.send(AdminJson::tenants);
                }
            }
            case AdminPath.Tenant(var name) -> tenant(exchange, name);
            case AdminPath.Host(var name) -> {
                if (exchange.allows(HttpMethod.GET)) {
                    host(exchange, name);
                }
            }
            case AdminPath.Logs() -> logs.handle(exchange);
            case AdminPath.Applications() -> {
                if (exchange.allows(HttpMethod.GET)) {
                    boolean some = deployments.active().model().isPresent();
                    exchange.send(
                            json -> AdminJson.applications(json, some, exchange.application()));
                }
            }
            case AdminPath.Application() -> {
                if (exchange.is(HttpMethod.DELETE)) {
                    deploying.remove(exchange);
                } else if (exchange.allows(HttpMethod.GET, HttpMethod.DELETE)) {
                    application(exchange);
                }
            }
            case AdminPath.Reindexing() -> reindexing.reindexing(exchange);
            case AdminPath.Reindex() -> reindexing.reindex(exchange);
            case AdminPath.ServiceConverge() -> {
                if (exchange.allows(HttpMethod.GET)) {
                    serviceConverge(exchange);
                }
            }
            case AdminPath.ServiceStatus(var address) -> {
                if (exchange.allows(HttpMethod.GET)) {
                    serviceStatus(exchange, address);
                }
            }
            case AdminPath.NotBuilt(var what) ->
                    exchange.fail(AdminError.NOT_FOUND, "not built yet: " + what);
            case AdminPath.Refused(var problem) -> exchange.fail(AdminError.BAD_REQUEST, problem);
            case AdminPath.Unknown(var problem) -> exchange.fail(AdminError.NOT_FOUND, problem);
        }
    }

    private void application(AdminExchange exchange) {
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
            return;
        }
        exchange.send(json -> AdminJson.application(json, active.get()));
    }

    private void serviceConverge(AdminExchange exchange) {
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
            return;
        }
        exchange.send(json ->
                AdminJson.serviceConverge(
                        json,
                        active.get().generation(),
                        deployments.active().services(),
                        exchange.application()));
    }

    private void serviceStatus(AdminExchange exchange, String address) {
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
            return;
        }
        long generation = active.get().generation();
        boolean isThere =
                deployments.active().services().stream()
                        .anyMatch(service -> address.equals(service.host() + ":" + service.port()));
        if (isThere) {
            exchange.send(json ->
                    AdminJson.serviceStatus(json, address, generation, exchange.application()));
        } else {
            exchange.send(
                    HttpStatus.GONE_410,
                    json ->
                            AdminJson.noSuchService(
                                    json, address, generation, exchange.application()));
        }
    }

    private void host(AdminExchange exchange, String name) {
        boolean isThere =
                deployments.active().services().stream()
                        .anyMatch(service -> service.host().equals(name));
        if (isThere) {
            exchange.send(AdminJson::host);
        } else {
            exchange.fail(
                    AdminError.NOT_FOUND,
                    "no application is served by a host '%s'".formatted(name));
        }
    }

    /** There is one tenant for ever. */
    private static void tenant(AdminExchange exchange, String name) {
        boolean isThere = name.equals(AdminPath.DEFAULT);
        if (exchange.is(HttpMethod.PUT)) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    isThere
                            ? "the tenant 'default' is there already"
                            : "there is one tenant, called default; no other can be made");
        } else if (!exchange.allows(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE)) {
            return;
        } else if (!isThere) {
            exchange.fail(AdminError.NOT_FOUND, AdminPath.noTenant(name));
        } else if (exchange.is(HttpMethod.DELETE)) {
            exchange.fail(AdminError.BAD_REQUEST, "the tenant 'default' cannot be deleted");
        } else {
            exchange.message("Tenant 'default' exists.");
        }
    }
}
