package org.crabro.content.replication.raft;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

/** Makes certificates for the loopback address with the JDK's own tool. */
final class ReplicaCertificates {
    private static final String PASSWORD = "password";

    private ReplicaCertificates() {}

    /** Makes a key and a certificate that is its own authority. */
    static RatisTls make(Path directory, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve(name + ".p12");
        Process made =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-J-XX:TieredStopAtLevel=1",
                                        "-genkeypair",
                                        "-alias",
                                        name,
                                        "-keyalg",
                                        "EC",
                                        "-dname",
                                        "CN=" + name,
                                        "-ext",
                                        "SAN=ip:127.0.0.1,dns:localhost",
                                        "-ext",
                                        "BC=ca:true",
                                        "-validity",
                                        "365",
                                        "-storetype",
                                        "PKCS12",
                                        "-storepass",
                                        PASSWORD,
                                        "-keystore",
                                        store.toString()))
                        .inheritIO()
                        .start();
        if (made.waitFor() != 0) {
            throw new IOException("keytool ended with status " + made.exitValue());
        }
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Key key = keys.getKey(name, PASSWORD.toCharArray());
        Certificate certificate = keys.getCertificate(name);
        Path keyFile = pem(directory, name + ".key", "PRIVATE KEY", key.getEncoded());
        Path certificateFile =
                pem(directory, name + ".crt", "CERTIFICATE", certificate.getEncoded());
        return new RatisTls(certificateFile, keyFile, certificateFile);
    }

    private static Path pem(Path directory, String name, String label, byte[] bytes)
            throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                directory.resolve(name),
                "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label),
                StandardCharsets.US_ASCII);
    }
}
