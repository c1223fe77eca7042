package org.crabro.container.http;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a listener speaks TLS. All files are PEM.
 *
 * @param privateKey a PKCS #8 key, not encrypted
 * @param certificates the server's certificate, then those that lead to its root
 * @param clientAuthorities certificates that sign clients'
 * @param clients who is let in
 * @param cipherSuites by their standard names; empty for all that are sound
 * @param protocols such as {@code TLSv1.3}; empty for all that are sound
 */
public record TlsSettings(
        Path privateKey,
        Path certificates,
        Optional<Path> clientAuthorities,
        Clients clients,
        List<String> cipherSuites,
        List<String> protocols) {
    /** Who is let in. */
    public enum Clients {
        /** Everybody. */
        ANY,
        /** Everybody who shows no certificate that is wrong. */
        ASKED,
        /** Only who shows a certificate. */
        KNOWN
    }

    public TlsSettings {
        cipherSuites = List.copyOf(cipherSuites);
        protocols = List.copyOf(protocols);
    }

    /** Where authorities of clients are given, only clients with a certificate are let in. */
    public TlsSettings(Path privateKey, Path certificates, Optional<Path> clientAuthorities) {
        this(
                privateKey,
                certificates,
                clientAuthorities,
                clientAuthorities.isPresent() ? Clients.KNOWN : Clients.ANY,
                List.of(),
                List.of());
    }
}
