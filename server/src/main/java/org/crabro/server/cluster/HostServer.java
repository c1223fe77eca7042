package org.crabro.server.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.config.application.RemoteFiles;
import org.crabro.container.Container;
import org.crabro.container.ContainerSettings;
import org.crabro.container.admin.ClusterAdmin;
import org.crabro.container.admin.ConfigPort;
import org.crabro.container.admin.ConfigServer;
import org.crabro.container.admin.ConfigServerSettings;
import org.crabro.container.admin.ContainerPlaces;
import org.crabro.container.admin.DataBackup;
import org.crabro.container.admin.DataOperations;
import org.crabro.container.admin.DataSettling;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.trace.TraceSettings;
import org.crabro.container.trace.Traces;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.NodePlace;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of a cluster: a config server, if it is named as one, and the containers and content
 * nodes that the active package places on its host.
 */
public final class HostServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostServer.class);

    /** A node of a global cluster has this part of the memory of another node. */
    private static final int GLOBAL_PART = 4;

    private final Optional<URI> config;
    private final HostRoles roles;
    private final Failures failures;

    /** The parts to close, the last opened first. */
    private final Deque<Runnable> closing;

    private HostServer(
            Optional<URI> config, HostRoles roles, Failures failures, Deque<Runnable> closing) {
        this.config = config;
        this.roles = roles;
        this.failures = failures;
        this.closing = closing;
    }

    /**
     * The limits and listeners of the roles.
     *
     * @param container of the container, if the host gets one
     * @param content of each content node, except for its place
     * @param config of the config server, if the host is one
     * @param traces where spans are sent
     */
    public record RoleSettings(
            ContainerSettings container,
            ContentSettings content,
            ConfigServerSettings config,
            TraceSettings traces) {}

    /** Keeps the first failure that only a restart repairs. */
    static final class Failures implements Consumer<String> {
        private volatile Optional<String> first = Optional.empty();

        @Override
        public synchronized void accept(String reason) {
            if (first.isEmpty()) {
                first = Optional.of(reason);
            }
        }

        Optional<String> first() {
            return first;
        }
    }

    /**
     * Starts the roles of the last decisions on disk, and follows the config server.
     *
     * @param data the directory of all data; created if missing
     * @param logs the latest log lines of the process
     * @throws IOException if the data cannot be opened, or a port is in use; the message contains
     *     the reason
     */
    public static HostServer start(
            ClusterSettings cluster, Path data, RoleSettings settings, LogRing logs)
            throws IOException {
        var closing = new ArrayDeque<Runnable>();
        try {
            return start(cluster, data, settings, logs, closing);
        } catch (IOException | RuntimeException e) {
            closing.forEach(Runnable::run);
            throw e;
        }
    }

    private static HostServer start(
            ClusterSettings cluster,
            Path data,
            RoleSettings settings,
            LogRing logs,
            Deque<Runnable> closing)
            throws IOException {
        var failures = new Failures();
        Path files = data.resolve("host");
        Path decisions = files.resolve("decisions");
        // First, so that nothing changes if the cluster uses formats that this server does not
        // have.
        String recordedCluster =
                MemberFiles.open(decisions, cluster.formats()).latest().clusterId();
        var metrics = new MetricIntervals(InstantSource.system());
        closing.push(metrics::close);
        Traces traces =
                Traces.start(
                        settings.traces(),
                        settings.container().start().version(),
                        metrics.registry());
        closing.push(traces::close);
        metrics.start();
        closing.push(metrics::stop);
        var host =
                new HostSettings(
                        cluster.host(),
                        cluster.address(),
                        HostPorts.open(
                                new JsonValueFile(files.resolve("ports.json")),
                                cluster.firstPort()),
                        cluster.security(),
                        CallLimits.ofHeap(Runtime.getRuntime().maxMemory()),
                        traces.tracer());
        var register =
                ReindexRegister.open(data.resolve("reindexing.properties"), InstantSource.system());
        var parts =
                new ProcessParts(
                        cluster,
                        data,
                        settings,
                        register,
                        new Measures(metrics, traces),
                        new Shared(
                                new RequestMemory(settings.container().start().requests().memory()),
                                failures));
        Config config = config(parts, host, logs, recordedCluster, closing);
        var clusters = new RemoteClusters(new NodeConnections(cluster.security(), host.limits()));
        var roles = new HostRoles(host, parts, clusters);
        closing.push(roles::close);
        ClusterMember member =
                ClusterMember.open(
                        new HostReport.Sender(
                                cluster.host(), new SecureRandom().nextLong(), cluster.formats()),
                        config.servers(),
                        roles,
                        decisions,
                        failures);
        closing.push(member::close);
        member.start();
        return new HostServer(config.url(), roles, failures, closing);
    }

    /**
     * The config servers as this server sees them.
     *
     * @param servers to report to
     * @param url where this one takes packages; empty if it is none
     */
    private record Config(List<ConfigAccess> servers, Optional<URI> url) {}

    private static Config config(
            ProcessParts parts,
            HostSettings host,
            LogRing logs,
            String recordedCluster,
            Deque<Runnable> closing)
            throws IOException {
        ClusterSettings cluster = parts.cluster();
        if (!cluster.isConfigServer()) {
            List<ConfigAccess> servers = new ArrayList<>();
            for (ClusterSettings.Named each : cluster.configServers()) {
                ConfigClient client = ConfigClient.connect(each, cluster.security());
                closing.push(client::close);
                servers.add(client);
            }
            return new Config(servers, Optional.empty());
        }
        return cluster.configServers().size() == 1
                ? onlyConfig(parts, logs, closing)
                : sharedConfig(parts, host, logs, recordedCluster, closing);
    }

    private static Config onlyConfig(ProcessParts parts, LogRing logs, Deque<Runnable> closing)
            throws IOException {
        ClusterSettings cluster = parts.cluster();
        Path directory = parts.data().resolve("config");
        if (Files.exists(directory.resolve("log"))) {
            throw new IOException(
                    "'%s' is of a cluster with %d config servers; name all of them"
                            .formatted(directory, ClusterSettings.CONFIG_SERVERS));
        }
        ClusterController controller =
                ClusterController.open(
                        RecordFile.open(directory.resolve("cluster.json")),
                        List.of(cluster.host()),
                        System::nanoTime,
                        InstantSource.system());
        ConfigServer server =
                ConfigServer.start(
                        parts.settings().config(),
                        new ClusterActivation(controller),
                        parts.register(),
                        operations(
                                parts,
                                Optional.of(
                                        new ClusterStatus(
                                                controller,
                                                () ->
                                                        List.of(
                                                                new ClusterStatus.ConfigHost(
                                                                        cluster.host(),
                                                                        true,
                                                                        true,
                                                                        true))))),
                        logs,
                        parts.measures().metrics());
        closing.push(server::close);
        var access = new LocalConfig(cluster.host(), controller, server);
        closing.push(
                ConfigListener.start(
                                cluster,
                                new ConfigService(access, Optional.empty(), cluster),
                                controller::members,
                                () -> look(controller, parts.failures()))
                        ::close);
        return new Config(List.of(access), Optional.of(server.url()));
    }

    private static void look(ClusterController controller, Failures failures) {
        try {
            controller.look();
        } catch (IOException | RuntimeException e) {
            LOG.error("the state of the cluster could not be recorded", e);
            failures.accept("the state of the cluster could not be recorded: " + e);
        }
    }

    private static Config sharedConfig(
            ProcessParts parts,
            HostSettings host,
            LogRing logs,
            String recordedCluster,
            Deque<Runnable> closing)
            throws IOException {
        ClusterSettings cluster = parts.cluster();
        ConfigGroup group =
                ConfigGroup.open(
                        cluster,
                        new ConfigGroup.Parts(
                                parts.settings().config(),
                                parts.register(),
                                logs,
                                recordedCluster,
                                parts.failures()),
                        host,
                        parts.data().resolve("config"));
        closing.push(group::close);
        ConfigPort port =
                ConfigPort.start(
                        parts.settings().config(),
                        new NodeAddress(
                                host.address(), host.ports().of(ConfigLog.PORTS).requests()),
                        new ConfigPort.Peers(cluster.security(), cluster.configHosts()),
                        group::leaderUrl,
                        operations(parts, Optional.empty()),
                        parts.measures().metrics());
        closing.push(port::close);
        host.ports().keepRequests(ConfigLog.PORTS, port.peerPort());
        closing.push(
                ConfigListener.start(
                                cluster,
                                new ConfigService(group, Optional.of(group), cluster),
                                group::members,
                                group::look)
                        ::close);
        group.start(port);
        List<ConfigAccess> servers = new ArrayList<>();
        servers.add(group);
        servers.addAll(group.others());
        return new Config(servers, Optional.of(port.url()));
    }

    private static DataOperations operations(ProcessParts parts, Optional<ClusterAdmin> cluster) {
        return DataOperations.ofCluster(
                (_, _) ->
                        new DataBackup.Reply.Refused(
                                "backups of a cluster are not built; visit the documents instead"),
                new NoSettling(),
                cluster,
                new ContainerPlaces(
                        parts.cluster().host(),
                        // Without certificates, all servers listen on loopback addresses.
                        parts.cluster().tls().isEmpty(),
                        parts.settings().container().http().tls().isPresent()));
    }

    /** Settling is an operation of one node. */
    private static final class NoSettling implements DataSettling {
        @Override
        public Reply settle(Duration timeout) {
            return new Reply.Failed("settling a cluster is not built");
        }

        @Override
        public Backlog backlog() {
            return new Backlog(0, 0);
        }
    }

    /** What all content nodes of the process share. */
    record Shared(RequestMemory memory, Failures failures) {}

    /** What this process measures. */
    record Measures(MetricIntervals metrics, Traces traces) {}

    /** What this process provides for the roles. */
    record ProcessParts(
            ClusterSettings cluster,
            Path data,
            RoleSettings settings,
            ReindexRegister register,
            Measures measures,
            Shared shared) {
        /** Returns the settings of the content node for a content cluster. */
        ContentSettings content(String id) {
            NodePlace place = settings.content().place();
            return limits(id)
                    .withPlace(
                            new NodePlace(
                                    data.resolve("content").resolve(id),
                                    place.partitions(),
                                    place.owned(),
                                    place.stateVersion()));
        }

        /** A node with parents gets a part of the memory of a node, in addition to that. */
        private ContentSettings limits(String id) {
            ContentSettings whole = settings.content();
            return GlobalClusters.isGlobal(id)
                    ? whole.withMemory(whole.memory().dividedBy(GLOBAL_PART))
                            .withRecent(
                                    whole.recent()
                                            .withRecentBytes(
                                                    Math.max(
                                                            1,
                                                            whole.recent().recentBytes()
                                                                    / GLOBAL_PART)))
                    : whole;
        }

        /**
         * Opens a container that sends requests to {@code clusters}. It accepts no connections yet.
         */
        Container container(RemoteClusters clusters) throws IOException {
            return Container.open(
                    settings.container(),
                    clusters,
                    EmbedderSettings::open,
                    register,
                    measures.metrics(),
                    measures.traces());
        }

        /** Returns what fetches the files that packages name by URI. */
        RemoteFiles remote() {
            return RemoteFiles.NONE;
        }

        /** Returns the host that has the clusters of packages without hosts. */
        String defaultHost() {
            return cluster.configServers().getFirst().name();
        }

        /** Returns the memory for the values of requests to all content nodes. */
        RequestMemory memory() {
            return shared.memory();
        }

        /** Returns what receives the reason of a failure that only a restart repairs. */
        Failures failures() {
            return shared.failures();
        }
    }

    /** Returns where packages are deployed, if this is a config server. */
    public Optional<URI> config() {
        return config;
    }

    /** Returns where queries are answered, if the active package places a container here. */
    public Optional<URI> container() {
        return roles.containerUrl();
    }

    /** Returns the failure that only a restart repairs, if there is one. */
    public Optional<String> failure() {
        return failures.first();
    }

    @Override
    public synchronized void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
