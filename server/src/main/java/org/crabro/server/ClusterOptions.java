package org.crabro.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.crabro.server.cluster.ClusterSettings;
import org.crabro.server.cluster.FormatVersions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a server that is part of a cluster. */
final class ClusterOptions {
    @Option(
            names = "--config-servers",
            split = ",",
            paramLabel = "NAME[=HOST:PORT]",
            description =
                    "Be part of a cluster. The hosts of its config servers, one or three, and where"
                            + " each listens for other servers if that is not NAME:"
                            + ClusterSettings.CONFIG_PORT
                            + ".")
    private List<String> configServers = List.of();

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Name of this host in hosts.xml; for servers of a cluster.")
    private @Nullable String host;

    @Option(
            names = "--node-address",
            paramLabel = "HOST",
            description =
                    "Where this server listens for other servers of the cluster: the name of the"
                            + " host with certificates, 127.0.0.1 without.")
    private @Nullable String nodeAddress;

    @Option(
            names = "--node-port",
            defaultValue = "" + ClusterSettings.FIRST_PORT,
            description =
                    "First port for other servers of the cluster (${DEFAULT-VALUE}); each content"
                            + " cluster takes two.")
    private int nodePort = ClusterSettings.FIRST_PORT;

    @Option(names = "--node-key", description = "Private key of the host, in PEM.")
    private @Nullable Path nodeKey;

    @Option(
            names = "--node-certificates",
            description = "Certificate of the host, and those it depends on, in PEM.")
    private @Nullable Path nodeCertificates;

    @Option(
            names = "--node-authorities",
            description = "Certificates of the authorities of the cluster, in PEM.")
    private @Nullable Path nodeAuthorities;

    /**
     * Returns the place of the server in a cluster; empty without {@code --config-servers}.
     *
     * @param isInsecure whether it may listen beyond loopback addresses without certificates
     * @throws IllegalArgumentException if the options do not fit together, or without certificates
     *     an address is not of this machine
     */
    Optional<ClusterSettings> settings(boolean isInsecure) {
        if (configServers.isEmpty()) {
            if (host != null || nodeKey != null || nodeAddress != null) {
                throw new IllegalArgumentException(
                        "--host and the options of nodes need --config-servers");
            }
            return Optional.empty();
        }
        if (host == null) {
            throw new IllegalArgumentException("--config-servers needs --host");
        }
        Optional<TlsFiles> tls = tls();
        String address =
                nodeAddress != null ? nodeAddress : tls.isPresent() ? host : NodeAddress.LOOPBACK;
        var security = new NodeSecurity(tls, isInsecure);
        List<ClusterSettings.Named> servers =
                configServers.stream().map(ClusterSettings.Named::parse).toList();
        security.check(new NodeAddress(address, nodePort));
        servers.forEach(each -> security.check(each.address()));
        return Optional.of(
                new ClusterSettings(
                        host, servers, address, nodePort, security, FormatVersions.OWN));
    }

    private Optional<TlsFiles> tls() {
        if (nodeKey != null && nodeCertificates != null && nodeAuthorities != null) {
            return Optional.of(new TlsFiles(nodeKey, nodeCertificates, nodeAuthorities));
        }
        if (Stream.of(
                        Optional.ofNullable(nodeKey),
                        Optional.ofNullable(nodeCertificates),
                        Optional.ofNullable(nodeAuthorities))
                .anyMatch(Optional::isPresent)) {
            throw new IllegalArgumentException(
                    "--node-key, --node-certificates and --node-authorities need each other");
        }
        return Optional.empty();
    }
}
