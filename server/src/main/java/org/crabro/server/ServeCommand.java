package org.crabro.server;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.crabro.container.admin.LogRing;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.TlsSettings;
import org.crabro.ranking.onnx.NativeLibraries;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a server with all roles and keeps it until it is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Starts a server with all roles, and stops when it gets SIGTERM or SIGINT.")
final class ServeCommand implements Callable<Integer> {
    private static final int CONTAINER_PORT = 8080;
    private static final int CONFIG_PORT = 19071;

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
                    "Port for search and documents, 0 for any that is free (8080, or what the package says).")
    private @Nullable Integer port;

    @Option(
            names = "--config-port",
            defaultValue = "" + CONFIG_PORT,
            description = "Port for packages, 0 for any that is free (${DEFAULT-VALUE}).")
    private int configPort = CONFIG_PORT;

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
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var recent = new LogRing(MachineName.ofThis(), ProcessHandle.current().pid());
        var logging = Logging.start(data.resolve("logs"), recent);
        try {
            NativeLibraries.unpackInto(data.resolve("native"));
            var server = CrabroServer.start(settings(), recent);
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
            stopped.await();
            return 0;
        } finally {
            Reference.reachabilityFence(logging);
        }
    }

    private ServerSettings settings() {
        int given = port == null ? CONTAINER_PORT : port;
        return new ServerSettings(data, http(given), port != null, http(configPort));
    }

    private HttpSettings http(int listenPort) {
        HttpSettings defaults = HttpSettings.loopback(listenPort);
        return new HttpSettings(
                address,
                listenPort,
                tlsSettings(),
                defaults.maxHeaderBytes(),
                defaults.maxStreams(),
                defaults.maxConnections(),
                defaults.idleTimeout());
    }

    private Optional<TlsSettings> tlsSettings() {
        Tls given = tls;
        return given == null
                ? Optional.empty()
                : Optional.of(
                        new TlsSettings(
                                given.key,
                                given.certificates,
                                Optional.ofNullable(given.clientAuthorities)));
    }
}
