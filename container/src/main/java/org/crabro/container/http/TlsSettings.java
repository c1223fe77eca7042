package org.crabro.container.http;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The TLS settings of a listener. All files are PEM.
 *
 * @param privateKey a PKCS #8 key, not encrypted
 * @param certificates the server's certificate, then the certificates up to its root
 * @param clientAuthorities certificates that sign those of clients
 * @param clients which clients are accepted
 * @param listed certificates of single clients that are trusted, too
 */
public record TlsSettings(
        Path privateKey,
        Path certificates,
        Optional<Path> clientAuthorities,
        Clients clients,
        Algorithms algorithms,
        List<X509Certificate> listed) {
    /** Which clients are accepted. */
    public enum Clients {
        /** Every client; certificates are not requested. */
        ANY,
        /** Clients without a certificate, and those with a trusted one. */
        ASKED,
        /** Clients with a trusted certificate. */
        KNOWN
    }

    /**
     * The algorithms that are offered.
     *
     * @param cipherSuites by their standard names; empty for all that are secure
     * @param protocols such as {@code TLSv1.3}; empty for all that are secure
     */
    public record Algorithms(List<String> cipherSuites, List<String> protocols) {
        public Algorithms {
            cipherSuites = List.copyOf(cipherSuites);
            protocols = List.copyOf(protocols);
        }
    }

    public TlsSettings {
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
                new Algorithms(cipherSuites, protocols),
                List.of());
    }

    /** Returns settings that also accept clients with one of these certificates. */
    public TlsSettings withListed(List<X509Certificate> others) {
        return new TlsSettings(
                privateKey,
                certificates,
                clientAuthorities,
                clients == Clients.ANY && !others.isEmpty() ? Clients.ASKED : clients,
                algorithms,
                others);
    }

    /** If {@code clientAuthorities} is present, only clients with a certificate are accepted. */
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
