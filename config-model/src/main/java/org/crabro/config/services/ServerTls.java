package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The TLS settings of a port of a container. The files are not part of the package: the process
 * reads them on its machine.
 *
 * @param clientAuthorities certificates that sign clients' certificates
 * @param cipherSuites by their standard names; empty for all secure ones
 * @param protocols such as {@code TLSv1.3}; empty for all secure ones
 */
public record ServerTls(
        Path privateKey,
        Path certificates,
        Optional<Path> clientAuthorities,
        ClientAuthentication clientAuthentication,
        List<String> cipherSuites,
        List<String> protocols) {
    /** Whether clients authenticate with a certificate. */
    public enum ClientAuthentication {
        /** No certificate is requested. */
        DISABLED,
        /**
         * A certificate is requested. A client without one is accepted; an invalid one is rejected.
         */
        WANT,
        /** A client without a valid certificate is rejected. */
        NEED
    }

    public ServerTls {
        cipherSuites = List.copyOf(cipherSuites);
        protocols = List.copyOf(protocols);
        if (clientAuthentication != ClientAuthentication.DISABLED && clientAuthorities.isEmpty()) {
            throw new IllegalArgumentException("no certificates of clients are given");
        }
    }
}
