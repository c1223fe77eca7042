package org.crabro.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.container.http.BrowserSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.TlsSettings;
import org.crabro.server.settings.InvalidSettingsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options for the addresses of both ports, TLS, and requests of browsers. */
final class ListenOptions {
    private static final String LOOPBACK = "127.0.0.1";

    @Option(
            names = "--address",
            defaultValue = LOOPBACK,
            description =
                    "Address for search and documents (${DEFAULT-VALUE}); 0.0.0.0 for all. Other"
                            + " addresses than loopback need TLS or --insecure.")
    private String address = LOOPBACK;

    @Option(
            names = "--config-address",
            defaultValue = LOOPBACK,
            description = "Address for packages (${DEFAULT-VALUE}), regardless of --address.")
    private String configAddress = LOOPBACK;

    @Option(
            names = "--insecure",
            description = "Listen beyond loopback without TLS: requests and answers are readable.")
    private boolean insecure;

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

    @ArgGroup(exclusive = false)
    private @Nullable ConfigTls configTls;

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

    /** Files for the config port, in place of those of {@link Tls}. */
    private static final class ConfigTls {
        @Option(
                names = "--config-tls-key",
                required = true,
                description = "Private key of the config port; that of --tls-key by default.")
        private Path key = Path.of("");

        @Option(
                names = "--config-tls-certificates",
                required = true,
                description = "Certificates of the config port; as --tls-certificates by default.")
        private Path certificates = Path.of("");

        @Option(
                names = "--config-tls-client-authorities",
                description =
                        "Certificates that sign clients' for the config port; clients must then"
                                + " show one.")
        private @Nullable Path clientAuthorities;
    }

    /** Names as in services.xml. */
    private enum ClientAuthentication {
        need,
        want
    }

    /**
     * Rejects addresses beyond loopback without TLS, unless the operator allows them.
     *
     * @throws InvalidSettingsException if so; the message names the options
     */
    void check() {
        var problems = new ArrayList<String>();
        check("--address", address, tls().isPresent(), "--tls-key", problems);
        check(
                "--config-address",
                configAddress,
                configTls().isPresent(),
                "--config-tls-key",
                problems);
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
    }

    private void check(
            String option, String given, boolean isSecure, String key, List<String> problems) {
        try {
            if (!isSecure && !insecure && !InetAddress.getByName(given).isLoopbackAddress()) {
                problems.add(
                        "%s %s: requests would cross the network without TLS; give %s, or --insecure to listen nevertheless"
                                .formatted(option, given, key));
            }
        } catch (UnknownHostException e) {
            problems.add("%s %s: no such address".formatted(option, given));
        }
    }

    /** Returns whether the operator allows ports beyond loopback without TLS. */
    boolean isInsecure() {
        return insecure;
    }

    /** Returns {@code defaults} with the address, TLS and browser rules of both ports. */
    HttpSettings container(HttpSettings defaults) {
        return defaults.at(address, tls()).with(new BrowserSettings(hostNames, corsOrigins));
    }

    /** Returns {@code container} with the address and TLS of the config port. */
    HttpSettings config(HttpSettings container) {
        return container.at(configAddress, configTls());
    }

    private Optional<TlsSettings> tls() {
        return Optional.ofNullable(tls)
                .map(given ->
                        settings(
                                given.key,
                                given.certificates,
                                given.clientAuthorities,
                                given.clients));
    }

    private Optional<TlsSettings> configTls() {
        return Optional.ofNullable(configTls)
                .map(given ->
                        settings(
                                given.key,
                                given.certificates,
                                given.clientAuthorities,
                                ClientAuthentication.need))
                .or(this::tls);
    }

    private static TlsSettings settings(
            Path key, Path certificates, @Nullable Path authorities, ClientAuthentication clients) {
        TlsSettings.Clients accepted =
                authorities == null
                        ? TlsSettings.Clients.ANY
                        : switch (clients) {
                            case need -> TlsSettings.Clients.KNOWN;
                            case want -> TlsSettings.Clients.ASKED;
                        };
        return new TlsSettings(
                key,
                certificates,
                Optional.ofNullable(authorities),
                accepted,
                List.of(),
                List.of());
    }
}
