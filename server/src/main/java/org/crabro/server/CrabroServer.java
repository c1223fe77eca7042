package org.crabro.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.config.services.ContentCluster;
import org.crabro.container.Container;
import org.crabro.container.admin.ConfigServer;
import org.crabro.container.admin.DataOperations;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.trace.Traces;
import org.crabro.content.node.ContentNode;
import org.crabro.content.storage.os.PrivateDirectory;
import org.crabro.document.memory.RequestMemory;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.server.warmup.QueryWarmUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All roles in one process: content nodes, a container and a config server. The container calls the
 * nodes, or sends them messages if {@link WireSettings} says so.
 *
 * {@snippet :
 * try (var server = CrabroServer.start(ServerSettings.onAnyPorts(Path.of("data")))) {
 *     System.out.println(server.container());
 * }
 * }
 */
public final class CrabroServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CrabroServer.class);

    private final Container container;
    private final ConfigServer config;
    private final Supplier<Optional<String>> failure;
    private final Activation activation;

    /** The parts to close, the last opened first. */
    private final Deque<Runnable> closing;

    private CrabroServer(
            Container container,
            ConfigServer config,
            Supplier<Optional<String>> failure,
            Activation activation,
            Deque<Runnable> closing) {
        this.container = container;
        this.config = config;
        this.failure = failure;
        this.activation = activation;
        this.closing = closing;
    }

    /**
     * Opens the data, activates the last active application, and listens.
     *
     * @throws IOException if the data cannot be opened or a port cannot be opened; the message
     *     contains the reason
     */
    public static CrabroServer start(ServerSettings settings) throws IOException {
        return start(
                settings,
                new LogRing(MachineName.ofThis(), ProcessHandle.current().pid()),
                new UncaughtErrors());
    }

    /**
     * Starts a server whose log endpoint shows {@code logs}.
     *
     * @param errors after which the server counts as failed
     * @throws IOException as above
     */
    static CrabroServer start(ServerSettings settings, LogRing logs, UncaughtErrors errors)
            throws IOException {
        var closing = new ArrayDeque<Runnable>();
        try {
            return start(settings, logs, errors, closing);
        } catch (IOException | RuntimeException e) {
            closing.forEach(Runnable::run);
            throw e;
        }
    }

    private static CrabroServer start(
            ServerSettings settings, LogRing logs, UncaughtErrors errors, Deque<Runnable> closing)
            throws IOException {
        settings.process().machineCode().apply();
        Path data = settings.data();
        closing.push(settings.container().start().access()::close);
        refuseDocuments(data);
        var metrics = new MetricIntervals(InstantSource.system());
        closing.push(metrics::close);
        Traces traces =
                Traces.start(settings.process().traces(), Version.text(), metrics.registry());
        closing.push(traces::close);
        var content =
                ContentStores.open(
                        settings.content(),
                        ContentNode::open,
                        new StoreLinks(
                                settings.wire(),
                                traces.tracer(),
                                new RequestMemory(
                                        settings.container().start().requests().memory())),
                        errors);
        closing.push(content::close);
        DataFiles.adopt(data);
        PrivateDirectory.make(data.resolve(DataFiles.PACKAGES));
        new ServerMeters(metrics.registry()).measure(content, data);
        metrics.start();
        // Meters read the node, so they are stopped before it closes.
        closing.push(metrics::stop);
        Path registerFile = data.resolve(DataFiles.REGISTER);
        var register = ReindexRegister.open(registerFile, InstantSource.system());
        var container =
                Container.start(
                        settings.container(),
                        content,
                        EmbedderSettings::open,
                        register,
                        metrics,
                        traces);
        closing.push(container::close);
        var warmUp =
                new QueryWarmUp(
                        data.resolve(DataFiles.WARM_UP),
                        settings.process().warmUp(),
                        container::embedders,
                        metrics::requests,
                        container::requestsInProgress,
                        StoreLinks::direct);
        var activation = new Activation(content, container, warmUp);
        var config =
                ConfigServer.start(
                        settings.config()
                                .withHosts(settings.container().start().services().hosts()),
                        activation,
                        register,
                        new DataOperations(
                                new NodeBackup(content, registerFile),
                                new NodeSettling(content),
                                container.requests()),
                        logs,
                        metrics);
        closing.push(config::close);
        // The package may have moved the port, so that it does not matter if it is taken.
        container.checkPort();
        closing.push(warmUp::close);
        activation.loadModels();
        warmUp.beforeReady(activation.active());
        LOG.info(
                "Vectors are compared by {}, machineCode = {}",
                kernels(),
                settings.process().machineCode().name().toLowerCase(Locale.ROOT));
        return new CrabroServer(
                container,
                config,
                () ->
                        content.journalFailure()
                                .map(reason -> "the journal failed: " + reason)
                                .or(errors::failure),
                activation,
                closing);
    }

    private static String kernels() {
        if (Distances.isMachineCode()) {
            return "machine code";
        }
        return Distances.isVectorized() ? "the Vector API" : "scalar loops";
    }

    /**
     * Rejects a backup that was copied one directory too high: the server would not find its
     * documents.
     */
    private static void refuseDocuments(Path data) throws IOException {
        if (Files.exists(data.resolve("version"))
                && Files.isDirectory(data.resolve("partitions"))) {
            throw new IOException(
                    "'%s' contains documents itself: move all of it into '%s', or name the directory whose '%s' it is"
                            .formatted(
                                    data,
                                    data.resolve(ServerSettings.CONTENT_DIRECTORY),
                                    ServerSettings.CONTENT_DIRECTORY));
        }
    }

    /** Returns where queries are answered, and documents unless they have another port. */
    public URI container() {
        return container.url();
    }

    /** Returns where documents are answered. */
    public URI documents() {
        return container.documentsUrl();
    }

    /** Returns where packages are deployed. */
    public URI config() {
        return config.url();
    }

    /** Returns the names of the content clusters of the active application. */
    List<String> contentClusters() {
        return activation.active().stream()
                .flatMap(model -> model.services().contents().stream())
                .map(ContentCluster::id)
                .toList();
    }

    /** Returns the failure that only a restart repairs, if there is one. */
    Optional<String> failure() {
        return failure.get();
    }

    /** Lets requests under way end, makes everything durable and lets all files go. */
    @Override
    public synchronized void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
