package org.crabro.server;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crabro.container.access.AccessControl;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.BrowserSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.TlsSettings;
import org.crabro.ranking.onnx.NativeLibraries;
import org.crabro.server.settings.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts a server with all roles and keeps it until it is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts a server with all roles, and stops when it gets SIGTERM or SIGINT.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    private static final int CONTAINER_PORT = 8080;
    private static final int CONFIG_PORT = 19071;

    /** EX_SOFTWARE of sysexits. */
    private static final int FAILURE_STATUS = 70;

    /** How often the server is asked whether it failed. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A stop after a failure that takes longer is cut off. */
    private static final Duration STOP = Duration.ofSeconds(10);

    @Option(
            names = "--data",
            defaultValue = "crabro-data",
            description = "Directory for documents, packages and logs (${DEFAULT-VALUE}).")
    private Path data = Path.of("crabro-data");

    @Option(
            names = "--address",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (${DEFAULT-VALUE}); 0.0.0.0 for all.")
    private String address = "127.0.0.1";

    @Option(
            names = "--port",
            description =
                    "Port for search and documents, 0 for any that is free (8080, or what the"
                            + " package says).")
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

    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--access",
            description =
                    "File that names principals with their credentials, permissions and groups."
                            + " Without it every request has all rights.")
    private @Nullable Path access;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description =
                    "Name that requests may call the server in Host, besides its addresses and its"
                            + " own names; repeatable, * for any.")
    private List<String> hostNames = List.of();

    @Option(
            names = "--cors-origin",
            paramLabel = "ORIGIN",
            description =
                    "Origin whose web pages may use the server, such as https://app.example;"
                            + " repeatable.")
    private List<String> corsOrigins = List.of();

    @ArgGroup(exclusive = false)
    private @Nullable Tls tls;

    /** Files that listeners need to speak TLS. */
    private static final class Tls {
        @Option(
                names = "--tls-key",
                required = true,
                description = "Private key, PEM, PKCS #8; both ports then speak TLS.")
        private Path key = Path.of("");

        @Option(
                names = "--tls-certificates",
                required = true,
                description = "The server's certificate and those it depends on, PEM.")
        private Path certificates = Path.of("");

        @Option(
                names = "--tls-client-authorities",
                description = "Certificates that sign clients'; clients must then show one, PEM.")
        private @Nullable Path clientAuthorities;

        @Option(
                names = "--tls-client-authentication",
                defaultValue = "need",
                description =
                        "need: clients must show a certificate. want: they may, for clients with"
                                + " tokens (${DEFAULT-VALUE}).")
        private ClientAuthentication clients = ClientAuthentication.need;
    }

    /** Names as in services.xml. */
    private enum ClientAuthentication {
        need,
        want
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ServerSettings settings = settings();
        var recent = new LogRing(MachineName.ofThis(), ProcessHandle.current().pid());
        var logging = Logging.start(data.resolve("logs"), recent);
        try {
            logChanged(settings);
            NativeLibraries.unpackInto(data.resolve("native"));
            var errors = new UncaughtErrors();
            Thread.setDefaultUncaughtExceptionHandler(errors);
            var server = CrabroServer.start(settings.withAccess(access()), recent, errors);
            var stopped = new CountDownLatch(1);
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> {
                                server.close();
                                stopped.countDown();
                            }));
            System.out.printf(
                    "Crabro %s is up: search and documents %s, config %s, data %s%n",
                    Version.text(), server.container(), server.config(), data.toAbsolutePath());
            return awaitEnd(server, stopped);
        } finally {
            Reference.reachabilityFence(logging);
        }
    }

    /** Returns the exit status once the server has stopped, or is to stop after a failure. */
    private int awaitEnd(CrabroServer server, CountDownLatch stopped) throws InterruptedException {
        while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            Optional<String> failure = exitsOnFailure ? server.failure() : Optional.empty();
            if (failure.isPresent()) {
                LOG.error("The server ends with status {}: {}", FAILURE_STATUS, failure.get());
                Thread.ofPlatform().daemon().name("halt").start(ServeCommand::haltLater);
                server.close();
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
        return options.applyTo(defaults()).withConfigPort(configPort);
    }

    private AccessControl access() {
        Path given = access;
        return given == null ? AccessControl.OPEN : AccessControl.of(given);
    }

    private ServerSettings defaults() {
        int given = port == null ? CONTAINER_PORT : port;
        HttpSettings http =
                HttpSettings.loopback(given)
                        .at(address, tlsSettings())
                        .with(new BrowserSettings(hostNames, corsOrigins));
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

    private Optional<TlsSettings> tlsSettings() {
        Tls given = tls;
        return given == null
                ? Optional.empty()
                : Optional.of(
                        new TlsSettings(
                                given.key,
                                given.certificates,
                                Optional.ofNullable(given.clientAuthorities),
                                clients(given),
                                List.of(),
                                List.of()));
    }

    private static TlsSettings.Clients clients(Tls given) {
        if (given.clientAuthorities == null) {
            return TlsSettings.Clients.ANY;
        }
        return switch (given.clients) {
            case need -> TlsSettings.Clients.KNOWN;
            case want -> TlsSettings.Clients.ASKED;
        };
    }
}
