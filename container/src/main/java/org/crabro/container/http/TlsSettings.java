package org.crabro.container.http;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
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
 * @param listed certificates of clients that are trusted besides
 */
public record TlsSettings(
        Path privateKey,
        Path certificates,
        Optional<Path> clientAuthorities,
        Clients clients,
        List<String> cipherSuites,
        List<String> protocols,
        List<X509Certificate> listed) {
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
        listed = List.copyOf(listed);
    }

    /** Settings without certificates of single clients. */
    public TlsSettings(
            Path privateKey,
            Path certificates,
            Optional<Path> clientAuthorities,
            Clients clients,
            List<String> cipherSuites,
            List<String> protocols) {
        this(
                privateKey,
                certificates,
                clientAuthorities,
                clients,
                cipherSuites,
                protocols,
                List.of());
    }

    /** Returns settings that also let in clients who show one of these certificates. */
    public TlsSettings withListed(List<X509Certificate> others) {
        return new TlsSettings(
                privateKey,
                certificates,
                clientAuthorities,
                clients == Clients.ANY && !others.isEmpty() ? Clients.ASKED : clients,
                cipherSuites,
                protocols,
                others);
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
