package org.crabro.client.cluster;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * The certificates of a cluster: an authority, and a certificate for each host that it signs. Keys
 * are EC P-256. All files are PEM and only their owner can read them.
 */
final class ClusterCertificates {
    static final String AUTHORITY = "authority";

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3_650);
    private static final Duration HOST_LIFE = Duration.ofDays(825);

    /** Clocks of hosts may differ. */
    private static final Duration BEFORE_NOW = Duration.ofHours(1);

    private static final int SERIAL_BITS = 159;
    private static final int LINE_CHARS = 64;
    private static final String KEY = "PRIVATE KEY";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?");

    private final SecureRandom random = new SecureRandom();
    private final Instant now = Instant.now();

    /** A key, and the certificate of its authority. */
    private record Signer(PrivateKey key, X509Certificate certificate) {}

    private ClusterCertificates() {}

    /**
     * Makes the files of hosts, and those of an authority if the directory has none.
     *
     * @param directory is created if it is missing
     * @param hosts names or IP addresses
     * @return the files, in the order in which they were made
     * @throws IOException if a host is no name, or a file exists, or a file cannot be written; the
     *     message says which. No file was written in the first two cases
     */
    static List<Path> make(Path directory, List<String> hosts)
            throws IOException, GeneralSecurityException {
        var names = new HashSet<String>();
        for (String host : hosts) {
            if (!HOST.matcher(host).matches()) {
                throw new IOException("'%s' is no name of a host".formatted(host));
            }
            if (!names.add(host)) {
                throw new IOException("host '%s' is given twice".formatted(host));
            }
            refuse(certificate(directory, host));
            refuse(key(directory, host));
        }
        boolean isNew = !Files.exists(certificate(directory, AUTHORITY));
        if (isNew) {
            refuse(key(directory, AUTHORITY));
        }
        try {
            return new ClusterCertificates().make(directory, hosts, isNew);
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e.getMessage(), e);
        }
    }

    private static void refuse(Path file) throws FileAlreadyExistsException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(
                    file.toString(), null, "it exists and is not overwritten");
        }
    }

    private static Path certificate(Path directory, String name) {
        return directory.resolve(name + ".pem");
    }

    private static Path key(Path directory, String name) {
        return directory.resolve(name + "-key.pem");
    }

    private List<Path> make(Path directory, List<String> hosts, boolean isNew)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        Map<Path, String> files = new LinkedHashMap<>();
        Signer authority = isNew ? newAuthority(directory, files) : read(directory);
        for (String host : hosts) {
            KeyPair pair = newPair();
            files.put(
                    certificate(directory, host),
                    pem(CERTIFICATE, signed(authority, pair.getPublic(), host).getEncoded()));
            files.put(key(directory, host), pem(KEY, pair.getPrivate().getEncoded()));
        }
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        for (Map.Entry<Path, String> file : files.entrySet()) {
            write(file.getKey(), file.getValue());
        }
        return new ArrayList<>(files.keySet());
    }

    private Signer newAuthority(Path directory, Map<Path, String> files)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        KeyPair pair = newPair();
        X500Name name = name("Crabro cluster authority");
        var extensions = new JcaX509ExtensionUtils();
        X509v3CertificateBuilder made =
                new JcaX509v3CertificateBuilder(
                                name,
                                serial(),
                                Date.from(now.minus(BEFORE_NOW)),
                                Date.from(now.plus(AUTHORITY_LIFE)),
                                name,
                                pair.getPublic())
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                        .addExtension(
                                Extension.keyUsage,
                                true,
                                new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                        .addExtension(
                                Extension.subjectKeyIdentifier,
                                false,
                                extensions.createSubjectKeyIdentifier(pair.getPublic()));
        X509Certificate certificate = signed(made, pair.getPrivate());
        files.put(certificate(directory, AUTHORITY), pem(CERTIFICATE, certificate.getEncoded()));
        files.put(key(directory, AUTHORITY), pem(KEY, pair.getPrivate().getEncoded()));
        return new Signer(pair.getPrivate(), certificate);
    }

    private X509Certificate signed(Signer authority, PublicKey key, String host)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        var extensions = new JcaX509ExtensionUtils();
        int kind = IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName;
        X509v3CertificateBuilder made =
                new JcaX509v3CertificateBuilder(
                                authority.certificate(),
                                serial(),
                                Date.from(now.minus(BEFORE_NOW)),
                                Date.from(now.plus(HOST_LIFE)),
                                new X500Principal(name(host).getEncoded()),
                                key)
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                        .addExtension(
                                Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                        .addExtension(
                                Extension.extendedKeyUsage,
                                false,
                                new ExtendedKeyUsage(
                                        new KeyPurposeId[] {
                                            KeyPurposeId.id_kp_serverAuth,
                                            KeyPurposeId.id_kp_clientAuth
                                        }))
                        .addExtension(
                                Extension.subjectAlternativeName,
                                false,
                                new GeneralNames(new GeneralName(kind, host)))
                        .addExtension(
                                Extension.subjectKeyIdentifier,
                                false,
                                extensions.createSubjectKeyIdentifier(key))
                        .addExtension(
                                Extension.authorityKeyIdentifier,
                                false,
                                extensions.createAuthorityKeyIdentifier(authority.certificate()));
        return signed(made, authority.key());
    }

    private static X500Name name(String common) {
        return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, common).build();
    }

    private BigInteger serial() {
        return new BigInteger(SERIAL_BITS, random).setBit(0);
    }

    private KeyPair newPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private static X509Certificate signed(X509v3CertificateBuilder made, PrivateKey key)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        made.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
    }

    private static Signer read(Path directory) throws IOException, GeneralSecurityException {
        Path keyFile = key(directory, AUTHORITY);
        if (!Files.exists(keyFile)) {
            throw new IOException(
                    "'%s' is missing: only the key of the authority signs certificates of further hosts"
                            .formatted(keyFile));
        }
        String text = Files.readString(keyFile, StandardCharsets.US_ASCII);
        byte[] encoded = Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
        try (var in = Files.newInputStream(certificate(directory, AUTHORITY))) {
            return new Signer(
                    KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
    }

    private static String pem(String kind, byte[] encoded) {
        String body = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind);
    }

    private static void write(Path file, String text) throws IOException {
        try (SeekableByteChannel out =
                Files.newByteChannel(
                        file,
                        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }
}
