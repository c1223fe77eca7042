package org.crabro.container.admin;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.Route;
import org.crabro.container.console.ConsoleHandler;
import org.crabro.container.console.ConsoleParts;
import org.crabro.container.console.ContainerForwarding;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.StateHandler;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The config role in one process: a port that receives application packages.
 *
 * {@snippet :
 * var settings = ConfigServerSettings.of(HttpSettings.loopback(19071), data.resolve("packages"), "1");
 * try (var config = ConfigServer.start(settings, activation, register, data, logs, metrics)) {
 *     System.out.println(config.url());
 * }
 * }
 */
public final class ConfigServer implements AutoCloseable {
    private final DeployService service;
    private final HttpListener listener;
    private final Optional<ContainerForwarding> forwarding;

    private ConfigServer(
            DeployService service,
            HttpListener listener,
            Optional<ContainerForwarding> forwarding) {
        this.service = service;
        this.listener = listener;
        this.forwarding = forwarding;
    }

    /**
     * Activates the application that was active when the process ended, then opens the port. If the
     * application is no longer valid, logs the reason.
     *
     * @param register the reindexing runs
     * @param logs the latest log lines of the process, for the log endpoint
     * @throws IOException if the packages cannot be read or the port cannot be opened
     */
    public static ConfigServer start(
            ConfigServerSettings settings,
            ModelActivation activation,
            ReindexRegister register,
            DataOperations data,
            LogRing logs,
            MetricIntervals metrics)
            throws IOException {
        DeployService service =
                DeployService.open(
                        settings,
                        new DeployService.Uses(activation, register, PackageCopies.NONE),
                        data.cluster(),
                        logs);
        service.deployments().uploads().measure(metrics.registry());
        ActivePackage active = service.deployments().active();
        Optional<ContainerForwarding> forwarding = data.forwarding(active::services);
        var console =
                new ConsoleHandler(
                        new ConsoleParts(
                                settings.console(),
                                new ConsoleParts.Server(
                                        settings.endpoint().version(),
                                        settings.endpoint().access(),
                                        metrics),
                                active::model,
                                active::history,
                                data.container()
                                        .or(() -> forwarding.map(ContainerForwarding::requests))));
        List<Route> routes =
                ConfigRoutes.of(
                        new StateHandler(
                                () -> HealthState.UP,
                                () -> service.generation().orElse(0),
                                metrics,
                                settings.endpoint().version()),
                        new Answering(service),
                        new BackupHandler(data.backup(), service::copyActive),
                        new SettleHandler(data.settling()),
                        console);
        return new ConfigServer(
                service,
                HttpListener.start(
                        settings.endpoint().http(),
                        new AccessHandler(
                                ConfigRoutes.withStatus(
                                        routes,
                                        () -> service.generation().orElse(0),
                                        settings.endpoint().version()),
                                settings.endpoint().access()),
                        _ -> false,
                        service::browsers,
                        new AccessLog(),
                        metrics.registry()),
                forwarding);
    }

    /** Answers with a service. */
    private static final class Answering extends Handler.Abstract {
        private final DeployService service;

        Answering(DeployService service) {
            this.service = service;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            return service.handle(request, response, callback);
        }
    }

    /** Returns the URL for packages. */
    public URI url() {
        return URI.create(listener.url());
    }

    /** Returns the port. */
    public int port() {
        return listener.port();
    }

    /** Returns the number of the active application, if any. */
    public OptionalLong generation() {
        return service.generation();
    }

    /**
     * Copies the active package in the form of a directory of packages. Deployments continue
     * meanwhile.
     *
     * @throws IOException if it cannot be read, or {@code copies} fails
     */
    public void copyActive(DataBackup.Copies copies) throws IOException {
        service.copyActive(copies);
    }

    @Override
    public void close() {
        listener.close();
        forwarding.ifPresent(ContainerForwarding::close);
        service.close();
    }
}
