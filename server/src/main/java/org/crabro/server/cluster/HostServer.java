package org.crabro.server.cluster;

import java.io.IOException;
import java.net.URI;
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
import org.crabro.container.admin.ConfigServer;
import org.crabro.container.admin.ConfigServerSettings;
import org.crabro.container.admin.DataBackup;
import org.crabro.container.admin.DataOperations;
import org.crabro.container.admin.DataSettling;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.trace.TraceSettings;
import org.crabro.container.trace.Traces;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.ContentSettings;
import org.crabro.content.NodePlace;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.ranking.onnx.EmbedderSettings;

/**
 * A server of a cluster: a config server, if it is named as one, and the containers and content
 * nodes that the active package places on its host.
 */
public final class HostServer implements AutoCloseable {
    private final Optional<ConfigServer> config;
    private final HostRoles roles;
    private final Failures failures;

    /** The parts to close, the last opened first. */
    private final Deque<Runnable> closing;

    private HostServer(
            Optional<ConfigServer> config,
            HostRoles roles,
            Failures failures,
            Deque<Runnable> closing) {
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
    private static final class Failures implements Consumer<String> {
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
                        cluster.tls(),
                        CallLimits.ofHeap(Runtime.getRuntime().maxMemory()),
                        traces.tracer());
        var register =
                ReindexRegister.open(data.resolve("reindexing.properties"), InstantSource.system());
        Optional<LocalConfig> local =
                cluster.isConfigServer()
                        ? Optional.of(config(cluster, data, settings, register, logs, metrics))
                        : Optional.empty();
        List<ConfigAccess> servers = new ArrayList<>();
        if (local.isPresent()) {
            servers.add(local.get());
            closing.push(local.get().server()::close);
            closing.push(ConfigListener.start(cluster, local.get(), failures)::close);
        } else {
            for (ClusterSettings.Named each : cluster.configServers()) {
                ConfigClient client = ConfigClient.connect(each.address(), cluster.tls());
                closing.push(client::close);
                servers.add(client);
            }
        }
        var clusters = new RemoteClusters(new NodeConnections(cluster.tls(), host.limits()));
        var roles =
                new HostRoles(
                        host,
                        new ProcessParts(
                                cluster,
                                data,
                                settings,
                                register,
                                new Measures(metrics, traces),
                                failures),
                        clusters);
        closing.push(roles::close);
        ClusterMember member =
                ClusterMember.open(
                        new ClusterMember.Identity(cluster.host(), new SecureRandom().nextLong()),
                        servers,
                        roles,
                        files.resolve("decisions"),
                        failures);
        closing.push(member::close);
        member.start();
        return new HostServer(local.map(LocalConfig::server), roles, failures, closing);
    }

    private static LocalConfig config(
            ClusterSettings cluster,
            Path data,
            RoleSettings settings,
            ReindexRegister register,
            LogRing logs,
            MetricIntervals metrics)
            throws IOException {
        ClusterController controller =
                ClusterController.open(
                        data.resolve("config").resolve("cluster.json"),
                        cluster.host(),
                        System::nanoTime,
                        InstantSource.system());
        DataBackup backup =
                (_, _) ->
                        new DataBackup.Reply.Refused(
                                "backups of a cluster are not built; visit the documents instead");
        return new LocalConfig(
                controller,
                ConfigServer.start(
                        settings.config(),
                        new ClusterActivation(controller),
                        register,
                        new DataOperations(
                                backup,
                                new NoSettling(),
                                Optional.of(new ClusterStatus(controller)),
                                Optional.empty()),
                        logs,
                        metrics));
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

    /** What this process measures. */
    private record Measures(MetricIntervals metrics, Traces traces) {}

    /** What this process provides for the roles. */
    private record ProcessParts(
            ClusterSettings cluster,
            Path data,
            RoleSettings settings,
            ReindexRegister register,
            Measures measures,
            Failures failures)
            implements HostRoles.Parts {
        @Override
        public ContentSettings content(String id) {
            NodePlace place = settings.content().place();
            return settings.content()
                    .withPlace(
                            new NodePlace(
                                    data.resolve("content").resolve(id),
                                    place.partitions(),
                                    place.owned(),
                                    place.stateVersion()));
        }

        @Override
        public Container container(RemoteClusters clusters) throws IOException {
            return Container.start(
                    settings.container(),
                    clusters,
                    EmbedderSettings::open,
                    register,
                    measures.metrics(),
                    measures.traces());
        }

        @Override
        public RemoteFiles remote() {
            return RemoteFiles.NONE;
        }

        @Override
        public String defaultHost() {
            return cluster.configServers().getFirst().name();
        }

        @Override
        public Consumer<String> failed() {
            return failures;
        }
    }

    /** Returns where packages are deployed, if this is a config server. */
    public Optional<URI> config() {
        return config.map(ConfigServer::url);
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
