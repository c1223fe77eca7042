package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a port of a container speaks TLS. The files are no part of the package: they lie where the
 * process runs, and are read there.
 *
 * @param clientAuthorities certificates that sign clients'
 * @param cipherSuites by their standard names; empty for all that are sound
 * @param protocols such as {@code TLSv1.3}; empty for all that are sound
 */
public record ServerTls(
        Path privateKey,
        Path certificates,
        Optional<Path> clientAuthorities,
        ClientAuthentication clientAuthentication,
        List<String> cipherSuites,
        List<String> protocols) {
    /** Whether clients show who they are. */
    public enum ClientAuthentication {
        /** Nobody asks. */
        DISABLED,
        /** They are asked, and may show nothing; what they show has to be right. */
        WANT,
        /** Who shows nothing is not let in. */
        NEED
    }

    public ServerTls {
        cipherSuites = List.copyOf(cipherSuites);
        protocols = List.copyOf(protocols);
        if (clientAuthentication != ClientAuthentication.DISABLED && clientAuthorities.isEmpty()) {
            throw new IllegalArgumentException("nobody says which clients are right");
        }
    }
}
