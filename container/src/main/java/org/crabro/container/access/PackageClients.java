package org.crabro.container.access;

import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Request;

/**
 * The clients that an application accepts at a port with TLS, in addition to the principals of the
 * access file.
 *
 * @param named whether the application names clients: then a certificate must be one of theirs
 * @param certificates the permissions of clients by their certificates
 * @param tokens the permissions of clients by the names of principals of the access file that have
 *     tokens; they apply to principals to which the file gives no permission
 * @param controlled the permissions for which the application requires credentials; empty if it
 *     does not say
 * @param excluded the requests that never need credentials
 */
public record PackageClients(
        boolean named,
        Map<X509Certificate, Client> certificates,
        Map<String, Set<Permission>> tokens,
        Optional<Set<Permission>> controlled,
        Predicate<Request> excluded) {
    private static final Set<Permission> READS_AND_WRITES =
            Set.of(Permission.READ, Permission.WRITE);

    /** A client and its permissions. */
    public record Client(String id, Set<Permission> permissions) {
        public Client {
            permissions = Set.copyOf(permissions);
        }
    }

    public PackageClients {
        certificates = Map.copyOf(certificates);
        tokens = Map.copyOf(tokens);
        controlled = controlled.map(Set::copyOf);
    }

    /**
     * Returns whether a request passes without credentials: at an excluded address, or if it only
     * reads or writes and the application does not control that.
     */
    boolean isFree(Request request, Set<Permission> anyOf) {
        return excluded.test(request)
                || (controlled.isPresent()
                        && READS_AND_WRITES.containsAll(anyOf)
                        && anyOf.stream().noneMatch(controlled.get()::contains));
    }
}
