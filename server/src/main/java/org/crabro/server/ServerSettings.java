package org.crabro.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.crabro.container.ContainerSettings;
import org.crabro.container.access.AccessControl;
import org.crabro.container.admin.ConfigServerSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.service.ServiceRules;
import org.crabro.container.trace.TraceSettings;
import org.crabro.content.node.ContentSettings;
import org.crabro.ranking.kernel.MachineCodeUse;
import org.crabro.server.settings.SettingsTree;
import org.crabro.server.settings.SettingsTree.SettingNames;
import org.crabro.server.warmup.QueryWarmUp;

/**
 * The settings of a process with all roles. Their components are the settings of an operator, see
 * {@link #tree}.
 *
 * @param data the directory for documents, packages and logs; created if missing
 * @param container the listener for search and documents, and its limits
 * @param content the store of documents, and its limits
 * @param config the listener for deployments, and its limits
 * @param wire the connection between container and content nodes
 * @param process settings of the process as a whole
 */
public record ServerSettings(
        Path data,
        ContainerSettings container,
        ContentSettings content,
        ConfigServerSettings config,
        WireSettings wire,
        ProcessSettings process) {
    /** The directory of documents, below the directory of all data. */
    static final String CONTENT_DIRECTORY = "content-data";

    /**
     * Components that are not settings of this tree: options, the data directory, packages or other
     * code set them.
     */
    private static final SettingNames NAMES =
            new SettingNames(
                    Set.of(
                            "data",
                            "http.endpoint",
                            "http.browsers",
                            "portGiven",
                            "version",
                            "access",
                            "allowsComponents",
                            "requests.areLogged",
                            "services.secrets",
                            "documents.ignoresUndefinedFields",
                            "content.place",
                            "wire.tls",
                            "config.endpoint",
                            "config.packages",
                            "config.hosts"),
                    Set.of(
                            "container",
                            "start",
                            "services.hosts",
                            "search.query",
                            "search.bodies",
                            "search.times",
                            "search.models.size",
                            "http.requests",
                            "bulk.input",
                            "bulk.batches",
                            "content.recent.overload",
                            "content.threads",
                            "content.upkeep",
                            "content.memory",
                            "config.files",
                            "wire.limits",
                            "process"));

    /** Returns settings for free ports on the loopback address, without a warm-up. */
    public static ServerSettings onAnyPorts(Path data) {
        return of(data, HttpSettings.loopback(0), true, HttpSettings.loopback(0))
                .withWarmUp(Duration.ZERO);
    }

    /**
     * Returns the default settings for these listeners.
     *
     * @param containerPortGiven whether the operator chose the port; otherwise an application may
     *     change it
     */
    public static ServerSettings of(
            Path data, HttpSettings container, boolean containerPortGiven, HttpSettings config) {
        return new ServerSettings(
                data,
                ContainerSettings.of(
                        container,
                        new ContainerSettings.Start(
                                containerPortGiven,
                                Version.text(),
                                AccessControl.OPEN,
                                true,
                                ServiceRules.NONE)),
                ContentSettings.in(data.resolve(CONTENT_DIRECTORY)),
                ConfigServerSettings.of(config, data.resolve(DataFiles.PACKAGES), Version.text()),
                WireSettings.ofHeap(Runtime.getRuntime().maxMemory()),
                new ProcessSettings(
                        MachineCodeUse.AUTO, QueryWarmUp.BEFORE_READY, TraceSettings.NONE));
    }

    /** Returns these settings with access rules; a server closes them when it stops. */
    public ServerSettings withAccess(AccessControl access) {
        return new ServerSettings(
                data,
                container.withAccess(access),
                content,
                config.withAccess(access),
                wire,
                process);
    }

    /** Returns these settings for packages without jars. */
    public ServerSettings withoutComponents() {
        return new ServerSettings(
                data, container.withoutComponents(), content, config, wire, process);
    }

    /** Returns these settings with other rules for calls of network services. */
    public ServerSettings withServices(ServiceRules services) {
        return new ServerSettings(
                data, container.withServices(services), content, config, wire, process);
    }

    /** Returns these settings with other bounds of queries. */
    public ServerSettings with(SearchSettings other) {
        return new ServerSettings(data, container.with(other), content, config, wire, process);
    }

    /** Returns these settings with another time for the warm-up. */
    public ServerSettings withWarmUp(Duration time) {
        return new ServerSettings(
                data,
                container,
                content,
                config,
                wire,
                new ProcessSettings(process.machineCode(), time, process.traces()));
    }

    /** Returns these settings with another place for spans. */
    public ServerSettings with(TraceSettings other) {
        return new ServerSettings(
                data,
                container,
                content,
                config,
                wire,
                new ProcessSettings(process.machineCode(), process.warmUp(), other));
    }

    /** Returns these settings with another connection between container and content nodes. */
    public ServerSettings with(WireSettings other) {
        return new ServerSettings(data, container, content, config, other, process);
    }

    /** Returns these settings by name. */
    public SettingsTree<ServerSettings> tree() {
        return SettingsTree.of(this, NAMES);
    }

    /** Returns these settings with another config port. */
    ServerSettings withConfig(HttpSettings http) {
        return new ServerSettings(data, container, content, config.withHttp(http), wire, process);
    }
}
