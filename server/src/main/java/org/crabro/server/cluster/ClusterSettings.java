package org.crabro.server.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;

/**
 * The place of a server in a cluster.
 *
 * @param host the name by which packages call the server
 * @param configServers all config servers
 * @param address where the server listens for other servers, a name or an IP address; without TLS a
 *     loopback address
 * @param firstPort of content nodes; each takes two. 0 for any that are free
 * @param security of the messages between servers
 * @param formats the versions of formats that the server has
 */
public record ClusterSettings(
        String host,
        List<Named> configServers,
        String address,
        int firstPort,
        NodeSecurity security,
        FormatVersions formats) {
    /** The default port of config servers for other servers. */
    public static final int CONFIG_PORT = 19_070;

    /** The number of config servers, if one of them may fail. */
    public static final int CONFIG_SERVERS = 3;

    /** The default of {@code firstPort}. */
    public static final int FIRST_PORT = 19_100;

    /**
     * A config server.
     *
     * @param name of its host
     * @param address for other servers
     */
    public record Named(String name, NodeAddress address) {
        /**
         * Parses {@code NAME}, {@code NAME:PORT} or {@code NAME=HOST:PORT}.
         *
         * @throws IllegalArgumentException if it has another form
         */
        public static Named parse(String text) {
            int equals = text.indexOf('=');
            String name =
                    equals < 0 ? text.replaceFirst(":[0-9]+$", "") : text.substring(0, equals);
            String address = text.substring(equals + 1);
            if (!address.matches(".*:[0-9]+")) {
                address += ":" + CONFIG_PORT;
            }
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "'%s' is not NAME, NAME:PORT or NAME=HOST:PORT".formatted(text));
            }
            return new Named(name, HostSettings.address(address));
        }
    }

    public ClusterSettings {
        configServers = List.copyOf(configServers);
        int count = configServers.size();
        if (count != 1 && count != CONFIG_SERVERS) {
            throw new IllegalArgumentException(
                    "%d config servers are named, expected 1 or %d: one of three may fail, and none of two"
                            .formatted(count, CONFIG_SERVERS));
        }
        if (configServers.stream().map(Named::name).distinct().count() != count) {
            throw new IllegalArgumentException("a config server is named twice");
        }
    }

    /** Settings for a server with the formats of this release. */
    public ClusterSettings(
            String host,
            List<Named> configServers,
            String address,
            int firstPort,
            Optional<TlsFiles> tls) {
        this(host, configServers, address, firstPort, NodeSecurity.of(tls), FormatVersions.OWN);
    }

    /** Returns the files for mutual TLS; empty to talk without TLS. */
    Optional<TlsFiles> tls() {
        return security.tls();
    }

    /** Returns the names of the config servers, and the addresses at which they are reached. */
    Set<String> configHosts() {
        Set<String> hosts = new TreeSet<>();
        configServers.forEach(each -> {
            hosts.add(each.name());
            hosts.add(each.address().host());
        });
        return hosts;
    }

    /**
     * Returns a warning for each kind of port of this server that an access file does not cover.
     */
    public List<String> uncoveredPorts() {
        String who =
                security.tls().isPresent()
                        ? "every host of the cluster has all rights there, by its certificate"
                        : "without certificates, whoever reaches it has all rights";
        List<String> warnings = new ArrayList<>();
        configServers.stream()
                .filter(each -> each.name().equals(host))
                .forEach(each ->
                        warnings.add(
                                "the access file does not cover port %d for other servers: %s"
                                        .formatted(each.address().port(), who)));
        warnings.add(
                "the access file does not cover the ports for content nodes and replicas, from %d on: %s"
                        .formatted(firstPort, who));
        return warnings;
    }

    /** Returns whether the server is a config server. */
    boolean isConfigServer() {
        return configServers.stream().anyMatch(each -> each.name().equals(host));
    }
}
