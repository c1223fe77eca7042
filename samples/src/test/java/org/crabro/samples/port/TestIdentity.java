package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key with a certificate that it signs itself, of a server or a client. */
final class TestIdentity {
    private static final String PASSWORD = "password";

    private final KeyStore store;
    private final Path directory;

    private TestIdentity(KeyStore store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    /**
     * Makes one.
     *
     * @param directory for its files; made here
     * @param subject such as {@code CN=localhost}
     * @param names alternative names, such as {@code ip:127.0.0.1}
     */
    static TestIdentity make(Path directory, String subject, String names) throws Exception {
        Files.createDirectories(directory);
        Path file = directory.resolve("identity.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        keytool.toString(),
                                        "-J-XX:TieredStopAtLevel=1",
                                        "-genkeypair",
                                        "-alias",
                                        "test",
                                        "-keyalg",
                                        "EC",
                                        "-dname",
                                        subject,
                                        "-ext",
                                        "san=" + names,
                                        "-storetype",
                                        "PKCS12",
                                        "-keystore",
                                        file.toString(),
                                        "-storepass",
                                        PASSWORD))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        var identity =
                new TestIdentity(
                        KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray()), directory);
        Files.writeString(
                identity.key(),
                pem(
                        "PRIVATE KEY",
                        identity.store.getKey("test", PASSWORD.toCharArray()).getEncoded()));
        Files.writeString(identity.certificate(), identity.pem());
        return identity;
    }

    /** Returns the file of the key, PEM. */
    Path key() {
        return directory.resolve("key.pem");
    }

    /** Returns the file of the certificate, PEM. */
    Path certificate() {
        return directory.resolve("certificate.pem");
    }

    /** Returns the certificate as PEM. */
    String pem() throws Exception {
        return pem("CERTIFICATE", shown().getEncoded());
    }

    private Certificate shown() throws Exception {
        return store.getCertificate("test");
    }

    /** Returns a client that shows this certificate and trusts {@code server}. */
    HttpClient client(TestIdentity server) throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        return client(server, keys);
    }

    /** Returns a client that shows no certificate and trusts this server. */
    HttpClient stranger() throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(null, null);
        return client(this, keys);
    }

    private static HttpClient client(TestIdentity server, KeyManagerFactory keys) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", server.shown());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static String pem(String label, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
    }
}
