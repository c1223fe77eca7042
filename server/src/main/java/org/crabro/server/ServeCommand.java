package org.crabro.server;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.crabro.container.access.AccessControl;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MachineName;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ServiceRules;
import org.crabro.ranking.onnx.NativeLibraries;
import org.crabro.ranking.onnx.PreparedModels;
import org.crabro.server.cluster.ClusterSettings;
import org.crabro.server.cluster.HostServer;
import org.crabro.server.settings.Assignment;
import org.crabro.server.settings.InvalidSettingsException;
import org.crabro.server.settings.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts a server with all roles and runs it until it receives a signal to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts a server with all roles, and stops when it gets SIGTERM or SIGINT.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro serve", "  crabro serve --data /var/lib/crabro --port 8080"})
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    private static final int CONTAINER_PORT = 8080;
    private static final int CONFIG_PORT = 19071;

    /** EX_SOFTWARE of sysexits. */
    private static final int FAILURE_STATUS = 70;

    /** The interval at which the server is checked for a failure. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The time limit of a stop after a failure. */
    private static final Duration STOP = Duration.ofSeconds(10);

    @Option(
            names = "--data",
            defaultValue = "crabro-data",
            description = "Directory for documents, packages and logs (${DEFAULT-VALUE}).")
    private Path data = Path.of("crabro-data");

    @Option(
            names = "--port",
            description =
                    "Port for search and documents, 0 for any that is free (8080, or the port in"
                            + " the package).")
    private @Nullable Integer port;

    @Option(
            names = "--config-port",
            defaultValue = "" + CONFIG_PORT,
            description = "Port for packages, 0 for any that is free (${DEFAULT-VALUE}).")
    private int configPort = CONFIG_PORT;

    @Option(
            names = "--exit-on-failure",
            description =
                    "End with status "
                            + FAILURE_STATUS
                            + " after a failure that only a restart repairs, such as one of the"
                            + " journal.")
    private boolean exitsOnFailure;

    @Option(
            names = "--stop-with-input",
            description =
                    "Stop when the standard input ends, such as a pipe that the program holds which"
                            + " started the server.")
    private boolean stopsWithInput;

    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--no-components",
            description = "Refuse packages with jars in components/, and load none.")
    private boolean isWithoutComponents;

    @Option(
            names = "--access",
            description =
                    "File that names principals with their credentials, permissions and groups."
                            + " Without it every request has all rights.")
    private @Nullable Path access;

    @Option(
            names = "--services",
            paramLabel = "HOST,…",
            description =
                    "Hosts that the server calls for packages, separated by commas: HOST,"
                            + " HOST:PORT, or * for all. Overrides the setting services.hosts.")
    private @Nullable String services;

    @Option(
            names = "--secrets",
            description =
                    "Directory with a file for each secret, such as the key of a network service."
                            + " The environment variable VESPA_SECRET_NAME comes first.")
    private @Nullable Path secrets;

    @Mixin private ListenOptions listening = new ListenOptions();
    @Mixin private ClusterOptions cluster = new ClusterOptions();

    /** A server, alone or as a part of a cluster. */
    private record Started(
            Supplier<Optional<String>> failure,
            Runnable closing,
            Supplier<String> shown,
            List<URI> addresses) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ServerSettings settings = settings();
        var recent = new LogRing(MachineName.ofThis(), ProcessHandle.current().pid());
        var logging = Logging.start(data.resolve("logs"), recent);
        try {
            logChanged(settings);
            NativeLibraries.unpackInto(data.resolve("native"));
            PreparedModels.keepIn(data.resolve("native").resolve("models"));
            var errors = new UncaughtErrors();
            Thread.setDefaultUncaughtExceptionHandler(errors);
            Started server = start(withRules(settings), recent, errors);
            var running = RunningServer.ofThisProcess(server.addresses());
            running.write(data);
            var stopped = new CountDownLatch(1);
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .name("stop")
                                    .unstarted(() -> {
                                        try {
                                            server.closing().run();
                                            remove(running);
                                        } finally {
                                            // The server logs its stop, so its logs are closed
                                            // last.
                                            logging.close();
                                            stopped.countDown();
                                        }
                                    }));
            System.out.printf(
                    "Crabro %s is up: %s, data %s%n",
                    Version.text(), server.shown().get(), data.toAbsolutePath());
            markArchive();
            if (stopsWithInput) {
                // The exit runs the thread that stops the server.
                InputEnd.await(System.in, () -> System.exit(0));
            }
            return awaitEnd(server, stopped);
        } finally {
            Reference.reachabilityFence(logging);
        }
    }

    private void remove(RunningServer running) {
        try {
            running.remove(data);
        } catch (IOException e) {
            LOG.warn("'{}' could not be deleted", data.resolve(RunningServer.NAME), e);
        }
    }

    /** Lets {@code bin/crabro} keep the archive of classes that the JVM writes at the end. */
    private static void markArchive() {
        String mark = System.getProperty("crabro.archive", "");
        if (mark.isEmpty()) {
            return;
        }
        try {
            Files.write(Path.of(mark), new byte[0]);
        } catch (IOException e) {
            LOG.debug("'{}' could not be written, so later starts take longer", mark, e);
        }
    }

    private Started start(ServerSettings settings, LogRing logs, UncaughtErrors errors)
            throws IOException {
        Optional<ClusterSettings> place;
        try {
            place = cluster.settings(listening.isInsecure());
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingsException(List.of(String.valueOf(e.getMessage())));
        }
        if (place.isEmpty()) {
            CrabroServer server = CrabroServer.start(settings, logs, errors);
            return new Started(
                    server::failure,
                    server::close,
                    () ->
                            "%s, config %s"
                                    .formatted(
                                            Activation.served(
                                                    server.container(), server.documents()),
                                            server.config()),
                    List.of(server.container(), server.config()));
        }
        if (access != null) {
            place.get().uncoveredPorts().forEach(LOG::warn);
        }
        HostServer server =
                HostServer.start(
                        place.get(),
                        data,
                        new HostServer.RoleSettings(
                                settings.container(),
                                settings.content(),
                                settings.config(),
                                settings.process().traces()),
                        logs);
        // Replicas go on without a server that has failed, so it always ends.
        exitsOnFailure = true;
        return new Started(
                () -> server.failure().or(errors::failure),
                server::close,
                () ->
                        "host '%s'%s"
                                .formatted(
                                        place.get().host(),
                                        server.config().map(url -> ", config " + url).orElse("")),
                server.config().stream().toList());
    }

    /** Returns the exit status once the server has stopped, or is to stop after a failure. */
    private int awaitEnd(Started server, CountDownLatch stopped) throws InterruptedException {
        while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            Optional<String> failure = exitsOnFailure ? server.failure().get() : Optional.empty();
            if (failure.isPresent()) {
                LOG.error("The server ends with status {}: {}", FAILURE_STATUS, failure.get());
                Thread.ofPlatform().daemon().name("halt").start(ServeCommand::haltLater);
                server.closing().run();
                return FAILURE_STATUS;
            }
        }
        return 0;
    }

    private static void haltLater() {
        try {
            Thread.sleep(STOP);
        } catch (InterruptedException _) {
            // Then the process ends now.
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(FAILURE_STATUS);
    }

    private ServerSettings settings() throws IOException {
        listening.check();
        ServerSettings applied = options.applyTo(defaults(), services());
        return applied.withConfig(
                listening.config(applied.container().http()).withPort(configPort));
    }

    private ServerSettings withRules(ServerSettings settings) {
        ServiceRules services =
                settings.container()
                        .start()
                        .services()
                        .withSecrets(Secrets.of(System.getenv(), Optional.ofNullable(secrets)));
        ServerSettings changed = settings.withAccess(access()).withServices(services);
        return isWithoutComponents ? changed.withoutComponents() : changed;
    }

    /** Returns the setting that an option of its own sets. */
    private Optional<Assignment> services() {
        return Optional.ofNullable(services)
                .map(hosts -> new Assignment("services.hosts", hosts, "--services " + hosts));
    }

    private AccessControl access() {
        Path given = access;
        return given == null ? AccessControl.OPEN : AccessControl.of(given);
    }

    private ServerSettings defaults() {
        int given = port == null ? CONTAINER_PORT : port;
        HttpSettings http = listening.container(HttpSettings.loopback(given));
        return ServerSettings.of(data, http, port != null, http);
    }

    /** Logs every setting that is not the default. */
    private void logChanged(ServerSettings settings) {
        Set<Setting> defaults = Set.copyOf(defaults().tree().settings());
        for (Setting setting : settings.tree().settings()) {
            if (!defaults.contains(setting)) {
                LOG.info("{} = {}", setting.name(), setting.text());
            }
        }
    }
}
