package org.crabro.protocol.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Key stores in memory, read from PEM files. */
public final class PemFiles {
    private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_END = "-----END PRIVATE KEY-----";
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** The alias of the key and its certificates. */
    public static final String SERVER = "server";

    private PemFiles() {}

    /**
     * Returns a store with one key and its certificates.
     *
     * @throws IllegalArgumentException if a file is invalid; the message names it
     */
    public static KeyStore identity(Path privateKey, Path certificates) {
        try {
            KeyStore store = empty();
            store.setKeyEntry(
                    SERVER,
                    key(privateKey),
                    new char[0],
                    certificates(certificates).toArray(new Certificate[0]));
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "cannot use the key " + privateKey + " with " + certificates + ": " + e, e);
        }
    }

    /**
     * Returns a store that trusts the certificates in a file, and those that are listed.
     *
     * @throws IllegalArgumentException if the file is invalid; the message names it
     */
    public static KeyStore trusted(Optional<Path> authorities, List<X509Certificate> listed) {
        try {
            KeyStore store = empty();
            int count = 0;
            if (authorities.isPresent()) {
                for (Certificate certificate : certificates(authorities.get())) {
                    store.setCertificateEntry("authority" + count++, certificate);
                }
            }
            for (X509Certificate certificate : listed) {
                store.setCertificateEntry("listed" + count++, certificate);
            }
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "cannot use "
                            + authorities.map(Path::toString).orElse("the clients")
                            + ": "
                            + e,
                    e);
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> certificates =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(file + " holds no certificate");
        }
        return certificates;
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        int begin = text.indexOf(KEY_BEGIN);
        int end = text.indexOf(KEY_END);
        if (begin < 0 || end < begin) {
            throw new GeneralSecurityException(file + " does not hold a '" + KEY_BEGIN + "' block");
        }
        byte[] bytes =
                Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end));
        var spec = new PKCS8EncodedKeySpec(bytes);
        for (String algorithm : KEY_ALGORITHMS) {
            Optional<PrivateKey> key = key(algorithm, spec);
            if (key.isPresent()) {
                return key.get();
            }
        }
        throw new GeneralSecurityException(file + " holds a key of none of " + KEY_ALGORITHMS);
    }

    private static Optional<PrivateKey> key(String algorithm, PKCS8EncodedKeySpec spec)
            throws GeneralSecurityException {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(spec));
        } catch (InvalidKeySpecException e) {
            return Optional.empty();
        }
    }
}
