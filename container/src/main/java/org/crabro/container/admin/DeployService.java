package org.crabro.container.admin;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.fetch.UriFiles;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Deploys packages, and answers requests for packages and for the state of the cluster. It has no
 * port of its own.
 */
public final class DeployService implements AutoCloseable {
    private final PackageStore store;
    private final Deployments deployments;
    private final AdminHandler packages;
    private final ClusterHandler cluster;

    private DeployService(
            PackageStore store,
            Deployments deployments,
            AdminHandler packages,
            ClusterHandler cluster) {
        this.store = store;
        this.deployments = deployments;
        this.packages = packages;
        this.cluster = cluster;
    }

    /** What happens to packages after they are stored. */
    public record Uses(
            ModelActivation activation, ReindexRegister register, PackageCopies copies) {}

    /**
     * Activates the application that was active before. If it is no longer valid, logs the reason.
     *
     * @param cluster empty for a server that is not part of one
     * @param logs the latest log lines of the process, for the log endpoint
     * @throws IOException if the packages cannot be read
     */
    public static DeployService open(
            ConfigServerSettings settings, Uses uses, Optional<ClusterAdmin> cluster, LogRing logs)
            throws IOException {
        PackageStore store = PackageStore.open(settings.files().packages(), uses.copies());
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
                        uses.activation(),
                        uses.register(),
                        InstantSource.system());
        deployments.restore();
        return new DeployService(
                store,
                deployments,
                new AdminHandler(
                        deployments,
                        uses.register(),
                        settings.maxPackageBytes(),
                        logs,
                        InstantSource.system()),
                new ClusterHandler(cluster));
    }

    /** Answers a request; returns false if it is for another handler. */
    boolean handle(Request request, Response response, Callback callback) throws IOException {
        return packages.handle(request, response, callback)
                || cluster.handle(request, response, callback);
    }

    Deployments deployments() {
        return deployments;
    }

    /** Returns the number of the active application, if any. */
    OptionalLong generation() {
        return deployments
                .active()
                .model()
                .map(ApplicationModel::generation)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** The host names of the active application are those of this server. */
    BrowserRules browsers() {
        return deployments
                .active()
                .model()
                .map(model -> new BrowserRules(model.services().hostNames(), Set.of()))
                .orElse(BrowserRules.NONE);
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

    /** Waits for the deployment in progress, and accepts no more. */
    @Override
    public void close() {
        deployments.close();
    }
}
