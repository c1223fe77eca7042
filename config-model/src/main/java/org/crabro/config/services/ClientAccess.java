package org.crabro.config.services;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The clients that may use a container, from {@code clients} and {@code access-control} of
 * services.xml. It takes effect on ports with TLS.
 *
 * @param clients empty if services.xml names none
 * @param control empty if services.xml has no {@code access-control}
 */
public record ClientAccess(List<Client> clients, Optional<Control> control) {
    /** The value for a services.xml without either element. */
    public static final ClientAccess NONE = new ClientAccess(List.of(), Optional.empty());

    public ClientAccess {
        clients = List.copyOf(clients);
    }

    /** Returns whether services.xml has neither element. */
    public boolean isNone() {
        return clients.isEmpty() && control.isEmpty();
    }

    /**
     * A client.
     *
     * @param reads whether it may read
     * @param writes whether it may write
     * @param certificates that identify it
     * @param tokens ids of principals with tokens, which are configured where the process runs
     */
    public record Client(
            String id,
            boolean reads,
            boolean writes,
            List<X509Certificate> certificates,
            Set<String> tokens) {
        public Client {
            certificates = List.copyOf(certificates);
            tokens = Set.copyOf(tokens);
        }
    }

    /**
     * Which requests need credentials.
     *
     * @param reads whether reads do
     * @param writes whether writes do
     * @param excluded which requests do not
     */
    public record Control(boolean reads, boolean writes, List<ServedPath> excluded) {
        public Control {
            excluded = List.copyOf(excluded);
        }
    }
}
