package org.crabro.container.admin;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.Route;
import org.crabro.container.console.ConsoleEvent;
import org.crabro.container.console.ConsoleHandler;
import org.crabro.container.console.ConsoleParts;
import org.crabro.container.console.ConsoleUse;
import org.crabro.container.console.ContainerForwarding;
import org.crabro.container.console.ContainerRequests;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.TlsSettings;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The port of one of several config servers. The one that leads answers; the others forward
 * requests to a second port of it. Permissions are checked before a request is forwarded.
 */
public final class ConfigPort implements AutoCloseable {
    /** How long a client should wait until it tries again, in seconds. */
    static final int RETRY_SECONDS = 2;

    private final Outgoing outgoing;
    private final AtomicReference<Optional<DeployService>> service;
    private final HttpListener clients;
    private final HttpListener peers;

    private ConfigPort(
            Outgoing outgoing,
            AtomicReference<Optional<DeployService>> service,
            HttpListener clients,
            HttpListener peers) {
        this.outgoing = outgoing;
        this.service = service;
        this.clients = clients;
        this.peers = peers;
    }

    /**
     * The other config servers.
     *
     * @param security of the requests that are forwarded
     * @param hosts their names, and the addresses at which they are reached. With certificates,
     *     requests of others are refused
     */
    public record Peers(NodeSecurity security, Set<String> hosts) {
        /** On this machine, without certificates. */
        public static final Peers LOCAL = new Peers(NodeSecurity.LOOPBACK, Set.of());

        public Peers {
            hosts = Set.copyOf(hosts);
        }
    }

    /**
     * Requests to other servers.
     *
     * @param leader the config server that leads
     * @param containers for the console
     */
    private record Outgoing(ForwardingHandler leader, Optional<ContainerForwarding> containers) {
        void close() {
            leader.close();
            containers.ifPresent(ContainerForwarding::close);
        }
    }

    /**
     * Opens both ports. Until {@link #answer} is called, requests are forwarded.
     *
     * @param own where this server listens for requests that others forward; port 0 for any that is
     *     free
     * @param others the other config servers
     * @param leader returns the port that takes forwarded requests; empty if it is not known
     * @param data what operators can request of this server
     * @throws IOException if a port cannot be opened
     */
    public static ConfigPort start(
            ConfigServerSettings settings,
            NodeAddress own,
            Peers others,
            Supplier<Optional<URI>> leader,
            DataOperations data,
            MetricIntervals metrics)
            throws IOException {
        others.security().check(own);
        var service = new AtomicReference<Optional<DeployService>>(Optional.empty());
        var outgoing =
                new Outgoing(
                        new ForwardingHandler(
                                settings.maxPackageBytes(), leader, others.security().tls()),
                        data.forwarding(() ->
                                active(service).map(ActivePackage::services).orElse(List.of())));
        Optional<ContainerRequests> container =
                data.container().or(() -> outgoing.containers().map(ContainerForwarding::requests));
        List<Route> routes =
                ConfigRoutes.of(
                        new StateHandler(
                                () -> HealthState.UP,
                                () -> generation(service.get()),
                                metrics,
                                settings.endpoint().version()),
                        new Handler.Sequence(new Answering(service), outgoing.leader()),
                        new BackupHandler(
                                data.backup(),
                                _ -> {
                                    throw new IOException("backups of a cluster are not built");
                                }),
                        new SettleHandler(data.settling()),
                        new ConsoleHandler(
                                ownConsole(
                                        settings, service, metrics, container, outgoing.leader())));
        Supplier<BrowserRules> browsers =
                () -> service.get().map(DeployService::browsers).orElse(BrowserRules.NONE);
        HttpListener clients =
                HttpListener.start(
                        settings.endpoint().http(),
                        new AccessHandler(
                                ConfigRoutes.withStatus(
                                        routes,
                                        () -> generation(service.get()),
                                        settings.endpoint().version()),
                                settings.endpoint().access()),
                        _ -> false,
                        browsers,
                        new AccessLog(),
                        metrics.registry());
        try {
            var console =
                    new ConsoleHandler(forwardedConsole(settings, service, metrics, container));
            return new ConfigPort(
                    outgoing, service, clients, startForPeers(own, others, service, console));
        } catch (IOException | RuntimeException e) {
            clients.close();
            throw e;
        }
    }

    /**
     * Returns the console for clients, which works with the leader's if this server does not lead.
     */
    private static ConsoleParts ownConsole(
            ConfigServerSettings settings,
            AtomicReference<Optional<DeployService>> service,
            MetricIntervals metrics,
            Optional<ContainerRequests> container,
            ForwardingHandler leader) {
        return new ConsoleParts(
                settings.console(),
                new ConsoleParts.Server(
                        settings.endpoint().version(), settings.endpoint().access(), metrics),
                () -> active(service).flatMap(ActivePackage::model),
                () -> history(service),
                container,
                () ->
                        service.get().isPresent()
                                ? Optional.empty()
                                : Optional.of(new ToLeader(leader)));
    }

    /** Starts the listener for requests that other config servers forward. */
    private static HttpListener startForPeers(
            NodeAddress own,
            Peers others,
            AtomicReference<Optional<DeployService>> service,
            ConsoleHandler console)
            throws IOException {
        return HttpListener.start(
                HttpSettings.loopback(own.port())
                        .at(own.host(), others.security().tls().map(ConfigPort::tlsSettings)),
                new ForwardedRequests(
                        new Handler.Sequence(
                                new Answering(service),
                                new LeadersConsole(service, console),
                                new NotLeading(),
                                new NotFoundHandler()),
                        others),
                new AccessLog());
    }

    private static TlsSettings tlsSettings(TlsFiles files) {
        return new TlsSettings(
                files.privateKey(),
                files.certificates(),
                Optional.of(files.authorities()),
                TlsSettings.Clients.KNOWN,
                List.of(),
                List.of());
    }

    private static Optional<ActivePackage> active(
            AtomicReference<Optional<DeployService>> service) {
        return service.get().map(each -> each.deployments().active());
    }

    private static List<ConsoleEvent> history(AtomicReference<Optional<DeployService>> service) {
        return active(service).map(ActivePackage::history).orElse(List.of());
    }

    /**
     * Returns the console for requests that another config server has checked and forwards. It does
     * not know who sent them.
     */
    private static ConsoleParts forwardedConsole(
            ConfigServerSettings settings,
            AtomicReference<Optional<DeployService>> service,
            MetricIntervals metrics,
            Optional<ContainerRequests> container) {
        return new ConsoleParts(
                ConsoleUse.OPEN,
                new ConsoleParts.Server(settings.endpoint().version(), AccessControl.OPEN, metrics),
                () -> active(service).flatMap(ActivePackage::model),
                () -> history(service),
                container);
    }

    private static long generation(Optional<DeployService> service) {
        return service.map(DeployService::generation).orElse(OptionalLong.empty()).orElse(0);
    }

    /** Returns whether a request is for the server that leads. */
    static boolean isForLeader(Request request) {
        String path = AdminExchange.path(request);
        return path.startsWith(AdminPath.ROOT)
                || path.equals(ClusterHandler.PATH)
                || path.startsWith(ClusterHandler.MAINTENANCE);
    }

    /** Answers that a client should try again. */
    static void refuse(Response response, Callback callback, String reason) {
        response.getHeaders().put("Retry-After", Integer.toString(RETRY_SECONDS));
        AdminError.SERVICE_UNAVAILABLE.send(response, callback, reason);
    }

    /** Answers while this server leads. */
    private static final class Answering extends Handler.Abstract {
        private final AtomicReference<Optional<DeployService>> service;

        Answering(AtomicReference<Optional<DeployService>> service) {
            this.service = service;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            Optional<DeployService> now = service.get();
            return isForLeader(request)
                    && now.isPresent()
                    && now.get().handle(request, response, callback);
        }
    }

    /** Forwards what the console does not know to the server that leads. */
    private static final class ToLeader extends Handler.Abstract {
        private final ForwardingHandler forwarding;

        ToLeader(ForwardingHandler forwarding) {
            this.forwarding = forwarding;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            return forwarding.forward(request, response, callback);
        }
    }

    /** Answers what the consoles of other servers ask, while this server leads. */
    private static final class LeadersConsole extends Handler.Abstract {
        private final AtomicReference<Optional<DeployService>> service;
        private final ConsoleHandler console;

        LeadersConsole(AtomicReference<Optional<DeployService>> service, ConsoleHandler console) {
            this.service = service;
            this.console = console;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            return ConsoleHandler.isOfApplication(request)
                    && service.get().isPresent()
                    && console.handle(request, response, callback);
        }
    }

    /** Refuses requests that were forwarded to a server that does not lead any more. */
    private static final class NotLeading extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (!isForLeader(request) && !ConsoleHandler.isOfApplication(request)) {
                return false;
            }
            refuse(response, callback, "another config server leads since; try again");
            return true;
        }
    }

    /** Answers requests with a service from now on. */
    public void answer(DeployService answering) {
        service.set(Optional.of(answering));
    }

    /** Forwards requests from now on. */
    public void forward() {
        service.set(Optional.empty());
    }

    /** Returns the URL for packages. */
    public URI url() {
        return URI.create(clients.url());
    }

    /** Returns the port for requests that other config servers forward. */
    public int peerPort() {
        return peers.port();
    }

    @Override
    public void close() {
        clients.close();
        peers.close();
        outgoing.close();
    }
}
