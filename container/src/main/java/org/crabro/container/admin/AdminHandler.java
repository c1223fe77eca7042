package org.crabro.container.admin;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.UnusableBodyException;
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
 * Answers requests below {@code /application/v2/}. Other requests go to the next handler.
 *
 * <p>Blocks while it receives and compiles a package, so it runs on virtual threads.
 */
final class AdminHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);

    private final Deployments deployments;
    private final DeployEndpoint deploying;
    private final ContentEndpoint content;
    private final LogEndpoint logs;
    private final ReindexEndpoint reindexing;

    /**
     * @param register the reindexing runs
     * @param maxPackageBytes larger packages, as they are sent, and larger files are rejected
     * @param clock the time of notices
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
        // Not decoded: names of files are decoded part by part, so that no path leaves its package.
        String path = AdminExchange.path(request);
        if (!path.startsWith(AdminPath.ROOT)) {
            return false;
        }
        var exchange = new AdminExchange(request, response, callback);
        try {
            handle(AdminPath.parse(path), exchange);
        } catch (BodyRefusedException _) {
            exchange.tooMany(deployments.uploads().gaveWay());
        } catch (UnusableBodyException e) {
            exchange.fail(
                    e.isTooSlow() ? AdminError.REQUEST_TIMEOUT : AdminError.BAD_REQUEST,
                    e.getReason());
        } catch (UnavailableException e) {
            ConfigPort.refuse(response, callback, String.valueOf(e.getMessage()));
        } catch (Exception e) {
            // The root of a request: unexpected errors are logged here.
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.error("{} {} failed", request.getMethod(), path, e);
            exchange.fail(
                    AdminError.INTERNAL_SERVER_ERROR,
                    "internal error; see the server's log; serviceconverge shows which"
                            + " generation is served");
        }
        return true;
    }

    private void handle(AdminAddress address, AdminExchange exchange)
            throws IOException, InterruptedException {
        ApplicationName name = address.name();
        String tenant = name.tenant();
        if (!deployments.tenants().has(tenant)) {
            exchange.fail(AdminError.NOT_FOUND, AdminPath.noTenant(tenant));
        } else if (address.path().isOfApplication()
                && deployments.active().model().isPresent()
                && !deployments.active().is(name)) {
            exchange.fail(AdminError.NOT_FOUND, deployments.missing(name));
        } else if (isOfAnother(tenant, address.path())) {
            exchange.fail(
                    AdminError.NOT_FOUND, "tenant '%s' has no such session".formatted(tenant));
        } else {
            handle(address.path(), name, exchange);
        }
    }

    private boolean isOfAnother(String tenant, AdminPath path) {
        OptionalLong session = sessionOf(path);
        return session.isPresent()
                && deployments
                        .tenant(session.getAsLong())
                        .filter(owner -> !owner.equals(tenant))
                        .isPresent();
    }

    private static OptionalLong sessionOf(AdminPath path) {
        if (path instanceof AdminPath.Content content) {
            return content.session();
        }
        if (path instanceof AdminPath.SessionPrepared(var number)) {
            return OptionalLong.of(number);
        }
        return path instanceof AdminPath.SessionActive(var number)
                ? OptionalLong.of(number)
                : OptionalLong.empty();
    }

    private void handle(AdminPath path, ApplicationName name, AdminExchange exchange)
            throws IOException, InterruptedException {
        String tenant = name.tenant();
        switch (path) {
            case AdminPath.PrepareAndActivate() -> deploying.prepareAndActivate(exchange, tenant);
            case AdminPath.NewSession() -> deploying.create(exchange, tenant);
            case AdminPath.SessionPrepared(var session) ->
                    deploying.prepare(exchange, tenant, session);
            case AdminPath.SessionActive(var session) ->
                    deploying.activate(exchange, tenant, session);
            case AdminPath.Content file -> content.handle(exchange, name, file);
            case AdminPath.Tenants() -> {
                if (exchange.allows(HttpMethod.GET)) {
                    List<String> tenants = deployments.tenants().names();
                    exchange.send(json -> AdminJson.tenants(json, tenants));
                }
            }
            case AdminPath.Tenant(var asked) -> tenant(exchange, asked);
            case AdminPath.Host(var host) -> {
                if (exchange.allows(HttpMethod.GET)) {
                    host(exchange, host);
                }
            }
            case AdminPath.Logs() -> logs.handle(exchange);
            case AdminPath.Applications() -> {
                if (exchange.allows(HttpMethod.GET)) {
                    List<String> urls =
                            deployments
                                    .active()
                                    .model()
                                    .map(ApplicationModel::name)
                                    .filter(active -> active.tenant().equals(tenant))
                                    .map(exchange::application)
                                    .stream()
                                    .toList();
                    exchange.send(json -> AdminJson.applications(json, urls));
                }
            }
            case AdminPath.Application() -> {
                if (exchange.is(HttpMethod.DELETE)) {
                    deploying.remove(exchange, name);
                } else if (exchange.allows(HttpMethod.GET, HttpMethod.DELETE)) {
                    application(exchange);
                }
            }
            case AdminPath.Restart() -> deploying.restart(exchange, name);
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
            case AdminPath.NotTold(var reason) -> exchange.fail(AdminError.NOT_FOUND, reason);
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
                        deployments.active().servedNumber(),
                        deployments.active().services(),
                        exchange.application(active.get().name())));
    }

    private void serviceStatus(AdminExchange exchange, String address) {
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
            return;
        }
        long generation = active.get().generation();
        Optional<RunningService> running =
                deployments.active().services().stream()
                        .filter(service -> address.equals(service.host() + ":" + service.port()))
                        .findFirst();
        if (running.isPresent()) {
            exchange.send(json ->
                    AdminJson.serviceStatus(
                            json,
                            generation,
                            running.get(),
                            exchange.application(active.get().name())));
        } else {
            exchange.send(
                    HttpStatus.GONE_410,
                    json ->
                            AdminJson.noSuchService(
                                    json,
                                    address,
                                    generation,
                                    exchange.application(active.get().name())));
        }
    }

    private void host(AdminExchange exchange, String name) {
        boolean isThere =
                deployments.active().services().stream()
                        .anyMatch(service -> service.host().equals(name));
        Optional<ApplicationModel> active = deployments.active().model();
        if (isThere && active.isPresent()) {
            exchange.send(json -> AdminJson.host(json, active.get().name()));
        } else {
            exchange.fail(
                    AdminError.NOT_FOUND,
                    "no application is served by a host '%s'".formatted(name));
        }
    }

    /** Names only distinguish packages; {@code default} always exists. */
    private void tenant(AdminExchange exchange, String name) throws IOException {
        boolean isThere = deployments.tenants().has(name);
        if (exchange.is(HttpMethod.PUT)) {
            makeTenant(exchange, name, isThere);
        } else if (!exchange.allows(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE)) {
            return;
        } else if (!isThere) {
            exchange.fail(AdminError.NOT_FOUND, AdminPath.noTenant(name));
        } else if (!exchange.is(HttpMethod.DELETE)) {
            exchange.message("Tenant '%s' exists.".formatted(name));
        } else if (name.equals(ApplicationName.DEFAULT_PART)) {
            exchange.fail(AdminError.BAD_REQUEST, "the tenant 'default' cannot be deleted");
        } else {
            Optional<String> problem = deployments.removeTenant(name);
            if (problem.isPresent()) {
                exchange.fail(
                        AdminError.BAD_REQUEST,
                        "the tenant '%s' cannot be deleted: %s".formatted(name, problem.get()));
            } else {
                exchange.message("Tenant '%s' is deleted.".formatted(name));
            }
        }
    }

    private void makeTenant(AdminExchange exchange, String name, boolean isThere)
            throws IOException {
        if (isThere) {
            exchange.fail(
                    AdminError.BAD_REQUEST, "the tenant '%s' is there already".formatted(name));
        } else if (!ApplicationName.isPart(name)) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "tenant: %s, but found '%s'".formatted(ApplicationName.rule(), name));
        } else if (deployments.tenants().add(name)) {
            exchange.message("Tenant '%s' is created.".formatted(name));
        } else {
            exchange.fail(
                    AdminError.QUOTA_EXCEEDED,
                    "there are %,d tenants, which is the limit".formatted(Tenants.COUNT_MAX));
        }
    }
}
