package org.crabro.container.admin;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.console.ConsoleHandler;
import org.crabro.container.console.ConsoleParts;
import org.crabro.container.fetch.UriFiles;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.server.Handler;

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
    private final PackageStore store;
    private final Deployments deployments;
    private final HttpListener listener;

    private ConfigServer(PackageStore store, Deployments deployments, HttpListener listener) {
        this.store = store;
        this.deployments = deployments;
        this.listener = listener;
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
        PackageStore store = PackageStore.open(settings.files().packages());
        var deployments =
                new Deployments(
                        store,
                        new UriFiles(
                                settings.files().fetched(),
                                settings.files().fetch(),
                                settings.files().hosts(),
                                InstantSource.system()),
                        new DeployLimits(
                                settings.files().limits(),
                                settings.sessions(),
                                settings.endpoint().http().bodies().idle(),
                                settings.lockWait()),
                        activation,
                        register,
                        InstantSource.system());
        deployments.uploads().measure(metrics.registry());
        deployments.restore();
        var console =
                new ConsoleHandler(
                        new ConsoleParts(
                                settings.console(),
                                new ConsoleParts.Server(
                                        settings.endpoint().version(),
                                        settings.endpoint().access(),
                                        metrics),
                                deployments.active()::model,
                                deployments.active()::history,
                                data.container()));
        var handlers =
                new Handler.Sequence(
                        new StateHandler(
                                () -> HealthState.UP,
                                () -> generation(deployments).orElse(0),
                                metrics,
                                settings.endpoint().version()),
                        new StatusHandler(
                                () -> HealthState.UP,
                                () -> generation(deployments).orElse(0),
                                () ->
                                        List.of(
                                                new StatusHandler.Binding(
                                                        AdminHandler.class.getName(),
                                                        List.of(AdminPath.ROOT + "*")),
                                                new StatusHandler.Binding(
                                                        BackupHandler.class.getName(),
                                                        List.of(BackupHandler.PATH)),
                                                new StatusHandler.Binding(
                                                        SettleHandler.class.getName(),
                                                        List.of(SettleHandler.PATH)),
                                                new StatusHandler.Binding(
                                                        ClusterHandler.class.getName(),
                                                        List.of(ClusterHandler.PATH + "*")),
                                                new StatusHandler.Binding(
                                                        ConsoleHandler.class.getName(),
                                                        List.of("/console/*"))),
                                settings.endpoint().version()),
                        new AdminHandler(
                                deployments,
                                register,
                                settings.maxPackageBytes(),
                                logs,
                                InstantSource.system()),
                        new BackupHandler(data.backup(), store::copyActive),
                        new SettleHandler(data.settling()),
                        new ClusterHandler(data.cluster()),
                        console,
                        new NotFoundHandler());
        return new ConfigServer(
                store,
                deployments,
                HttpListener.start(
                        settings.endpoint().http(),
                        new AccessHandler(handlers, settings.endpoint().access(), AdminDemands::of),
                        _ -> false,
                        () -> browsers(deployments),
                        new AccessLog(),
                        metrics.registry()));
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
        return generation(deployments);
    }

    /**
     * Copies the active package in the form of a directory of packages. Deployments continue
     * meanwhile.
     *
     * @throws IOException if it cannot be read, or {@code copies} fails
     */
    public void copyActive(DataBackup.Copies copies) throws IOException {
        store.copyActive(copies);
    }

    @Override
    public void close() {
        listener.close();
        deployments.close();
    }

    /** The host names of the active application are those of this server. */
    private static BrowserRules browsers(Deployments deployments) {
        return deployments
                .active()
                .model()
                .map(model -> new BrowserRules(model.services().hostNames(), Set.of()))
                .orElse(BrowserRules.NONE);
    }

    private static OptionalLong generation(Deployments deployments) {
        return deployments
                .active()
                .model()
                .map(ApplicationModel::generation)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }
}
