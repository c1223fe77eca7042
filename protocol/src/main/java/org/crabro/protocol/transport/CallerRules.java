package org.crabro.protocol.transport;

import java.util.Optional;
import java.util.Set;

/**
 * Which host may call a method, and which host it may speak for. All ports of a cluster decide by
 * these rules. Pure functions.
 */
public final class CallerRules {
    private CallerRules() {}

    /**
     * Returns why a call is refused; empty if it is not.
     *
     * @param shown the names of the certificate, which an authority of the cluster has signed
     */
    public static Optional<String> refusal(
            AllowedCallers callers, CertificateNames shown, ClusterHosts hosts) {
        return switch (callers) {
            case MEMBERS -> {
                Optional<Set<String>> members = hosts.members().get();
                boolean isMember =
                        members.isEmpty()
                                || shown.hasAny(members.get())
                                || shown.hasAny(hosts.configServers());
                yield isMember
                        ? Optional.empty()
                        : Optional.of(
                                "the certificate names %s, and none of them is a host of the cluster"
                                        .formatted(shown));
            }
            case CONFIG_SERVERS ->
                    shown.hasAny(hosts.configServers())
                            ? Optional.empty()
                            : Optional.of(
                                    "the certificate names %s, and none of them is a config server"
                                            .formatted(shown));
            case NAMED_HOSTS ->
                    shown.names().isEmpty()
                            ? Optional.of("the certificate names no host")
                            : Optional.empty();
            case NONE -> Optional.of("no server of a cluster calls this method");
        };
    }

    /** Returns why a sender may not speak for a host; empty if it may. */
    public static Optional<String> refusal(CertificateNames shown, String host) {
        return shown.has(host)
                ? Optional.empty()
                : Optional.of(
                        "the certificate names %s, and not host '%s', for which the message speaks"
                                .formatted(shown, host));
    }
}
