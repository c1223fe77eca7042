package org.crabro.protocol.transport;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key and the certificates of {@link TlsFiles}. Each handshake uses the current content of the
 * files. If it is not valid, for example because only some of the files have been replaced, the
 * handshake uses the earlier content, and a warning is logged. Open connections do not change. Safe
 * for use by many threads.
 */
public final class NodeCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCertificates.class);

    private final TlsFiles files;
    private volatile Content current;

    /** A handshake that began before the last change uses this. */
    private volatile Content previous;

    /** The state of the files that were read last, valid or not. */
    private volatile List<FileState> seen;

    private record FileState(Path file, Optional<FileTime> modified, long size, String key) {
        static FileState of(Path file) {
            try {
                BasicFileAttributes attributes =
                        Files.readAttributes(file, BasicFileAttributes.class);
                return new FileState(
                        file,
                        Optional.of(attributes.lastModifiedTime()),
                        attributes.size(),
                        String.valueOf(attributes.fileKey()));
            } catch (IOException e) {
                // The content is read next, and says why the file cannot be read.
                return new FileState(file, Optional.empty(), -1, "");
            }
        }
    }

    /**
     * What the files contain.
     *
     * @param alias differs from that of the content before
     */
    private record Content(
            String alias,
            PrivateKey key,
            List<X509Certificate> chain,
            X509ExtendedTrustManager trust) {
        boolean isUsable(@Nullable String keyType) {
            return key.getAlgorithm().equals(keyType);
        }
    }

    private NodeCertificates(TlsFiles files, List<FileState> seen, Content first) {
        this.files = files;
        this.seen = seen;
        this.current = first;
        this.previous = first;
    }

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if a file is invalid; the message names it
     */
    public static NodeCertificates read(TlsFiles files) {
        List<FileState> seen = states(files);
        return new NodeCertificates(files, seen, content(files, "0"));
    }

    /** Returns the source of the key for a TLS context. */
    public X509ExtendedKeyManager keyManager() {
        return new Keys();
    }

    /** Returns the check of the certificates of peers for a TLS context. */
    public X509ExtendedTrustManager trustManager() {
        return new Authorities();
    }

    private Content current() {
        if (!states(files).equals(seen)) {
            renew();
        }
        return current;
    }

    private synchronized void renew() {
        List<FileState> now = states(files);
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        try {
            Content next = content(files, Integer.toString(Integer.parseInt(current.alias()) + 1));
            previous = current;
            current = next;
            LOG.info("the certificates of {} are in use", files.certificates());
        } catch (IllegalArgumentException e) {
            LOG.warn("the earlier certificates stay in use", e);
        }
    }

    private static List<FileState> states(TlsFiles files) {
        return Stream.of(files.privateKey(), files.certificates(), files.authorities())
                .map(FileState::of)
                .toList();
    }

    private static Content content(TlsFiles files, String alias) {
        try {
            KeyStore identity = PemFiles.identity(files.privateKey(), files.certificates());
            if (!(identity.getKey(PemFiles.SERVER, new char[0]) instanceof PrivateKey key)) {
                throw new GeneralSecurityException(files.privateKey() + " holds no private key");
            }
            List<X509Certificate> chain =
                    Arrays.stream(identity.getCertificateChain(PemFiles.SERVER))
                            .map(X509Certificate.class::cast)
                            .toList();
            checkPair(key, chain.getFirst());
            var trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(PemFiles.trusted(Optional.of(files.authorities()), List.of()));
            for (TrustManager each : trust.getTrustManagers()) {
                if (each instanceof X509ExtendedTrustManager extended) {
                    return new Content(alias, key, chain, extended);
                }
            }
            throw new GeneralSecurityException("no trust manager for X.509");
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "cannot use the key %s with %s: %s"
                            .formatted(files.privateKey(), files.certificates(), e),
                    e);
        }
    }

    /** Files that are replaced one after the other may not fit. */
    private static void checkPair(PrivateKey key, X509Certificate certificate)
            throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                };
        byte[] text = certificate.getSerialNumber().toByteArray();
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(text);
        byte[] signature = signing.sign();
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(certificate.getPublicKey());
        checking.update(text);
        if (!checking.verify(signature)) {
            throw new GeneralSecurityException("the key is not that of the certificate");
        }
    }

    private final class Keys extends X509ExtendedKeyManager {
        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            Content content = current();
            return Arrays.stream(keyTypes).anyMatch(content::isUsable) ? content.alias() : null;
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            Content content = current();
            return content.isUsable(keyType) ? content.alias() : null;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return chooseEngineClientAlias(keyTypes, issuers, null);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return chooseEngineServerAlias(keyType, issuers, null);
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {current().alias()};
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {current().alias()};
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
            return named(alias).chain().toArray(new X509Certificate[0]);
        }

        @Override
        public PrivateKey getPrivateKey(@Nullable String alias) {
            return named(alias).key();
        }

        private Content named(@Nullable String alias) {
            Content now = current;
            return now.alias().equals(alias) ? now : previous;
        }
    }

    private final class Authorities extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            current().trust().checkClientTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            current().trust().checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            current().trust().checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            current().trust().checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            current().trust().checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            current().trust().checkServerTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return current().trust().getAcceptedIssuers();
        }
    }
}
