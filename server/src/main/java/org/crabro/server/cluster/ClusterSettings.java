package org.crabro.server.cluster;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.TlsFiles;

/**
 * The place of a server in a cluster.
 *
 * @param host the name by which packages call the server
 * @param configServers all config servers
 * @param address where the server listens for other servers, a name or an IP address; without TLS a
 *     loopback address
 * @param firstPort of content nodes; each takes two. 0 for any that are free
 * @param tls empty to talk without TLS
 * @param formats the versions of formats that the server has
 */
public record ClusterSettings(
        String host,
        List<Named> configServers,
        String address,
        int firstPort,
        Optional<TlsFiles> tls,
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
        this(host, configServers, address, firstPort, tls, FormatVersions.OWN);
    }

    /** Returns whether the server is a config server. */
    boolean isConfigServer() {
        return configServers.stream().anyMatch(each -> each.name().equals(host));
    }
}
