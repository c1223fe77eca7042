package org.crabro.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** What TLS connections trust, and the certificate that they present. All files are PEM. */
public final class ClientTls {
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;

    private ClientTls(SSLContext context) {
        this.context = context;
    }

    /**
     * Returns TLS that trusts the certificates in a file and presents none.
     *
     * @throws IOException if the file cannot be read or has no certificate
     */
    public static ClientTls trusting(Path authorities) throws IOException {
        return of(Optional.of(authorities), Optional.empty());
    }

    /**
     * Returns TLS with these files.
     *
     * @param authorities certificates to trust; without it, those that the Java runtime trusts
     * @param identity the certificate that connections present
     * @throws IOException if a file cannot be read or has another form; the message names it
     */
    public static ClientTls of(Optional<Path> authorities, Optional<Identity> identity)
            throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    identity.isPresent() ? keys(identity.get()) : null,
                    authorities.isPresent() ? trust(authorities.get()) : null,
                    null);
            return new ClientTls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
    }

    /**
     * The certificate of a client.
     *
     * @param certificates the client's, then the certificates up to its root
     * @param privateKey a PKCS #8 key, not encrypted
     */
    public record Identity(Path certificates, Path privateKey) {}

    SSLContext context() {
        return context;
    }

    private static TrustManager[] trust(Path authorities)
            throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        int number = 0;
        for (Certificate each : certificates(authorities)) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] keys(Identity identity)
            throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "client",
                privateKey(identity.privateKey()),
                NO_PASSWORD,
                certificates(identity.certificates()).toArray(Certificate[]::new));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static List<Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> certificates =
                    List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (certificates.isEmpty()) {
                throw new IOException(file + " has no certificate (-----BEGIN CERTIFICATE-----)");
            }
            return certificates;
        } catch (java.security.cert.CertificateException e) {
            throw new IOException(file + " is no file of certificates: " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException {
        Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!key.find()) {
            throw new IOException(
                    file + " has no PKCS #8 key without password (-----BEGIN PRIVATE KEY-----)");
        }
        var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException _) {
                // The key belongs to another algorithm.
            }
        }
        throw new IOException(file + " has a key of none of the kinds " + ALGORITHMS);
    }
}
