package org.crabro.container;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.config.services.ServerTls;
import org.crabro.container.http.TlsSettings;

/**
 * The TLS settings of each port of an application: those of its server, or else those of the
 * process.
 *
 * @param ofProcess the settings of the process
 * @param ownPort the port of servers that name none
 * @param portGiven whether all servers listen at {@code ownPort}
 */
record ServedTls(Optional<TlsSettings> ofProcess, int ownPort, boolean portGiven) {
    /**
     * Returns the settings of these ports.
     *
     * @throws IllegalArgumentException if servers that share a port have different settings
     */
    Map<Integer, Optional<TlsSettings>> of(
            List<ContainerCluster> clusters, Collection<Integer> ports) {
        var asked = new LinkedHashMap<Integer, Optional<ServerTls>>();
        for (ContainerCluster cluster : clusters) {
            for (HttpServer server : cluster.http().servers()) {
                int port = portGiven ? ownPort : server.port().orElse(ownPort);
                Optional<ServerTls> other = asked.putIfAbsent(port, server.tls());
                if (other != null && !other.equals(server.tls())) {
                    throw new IllegalArgumentException(
                            "servers with different ssl settings share port %d; give them different ports%s"
                                    .formatted(
                                            port,
                                            portGiven ? ", and start the server without one" : ""));
                }
            }
        }
        var spoken = new LinkedHashMap<Integer, Optional<TlsSettings>>();
        for (int port : ports) {
            spoken.put(
                    port,
                    asked.getOrDefault(port, Optional.empty())
                            .map(ServedTls::settings)
                            .or(() -> ofProcess));
        }
        return spoken;
    }

    private static TlsSettings settings(ServerTls tls) {
        return new TlsSettings(
                tls.privateKey(),
                tls.certificates(),
                tls.clientAuthorities(),
                switch (tls.clientAuthentication()) {
                    case DISABLED -> TlsSettings.Clients.ANY;
                    case WANT -> TlsSettings.Clients.ASKED;
                    case NEED -> TlsSettings.Clients.KNOWN;
                },
                tls.cipherSuites(),
                tls.protocols());
    }
}
