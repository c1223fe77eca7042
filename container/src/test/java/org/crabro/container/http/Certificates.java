package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and its certificate, which signs itself, as files; and clients that trust it. */
public final class Certificates {
    private static final char[] PASSWORD = "password".toCharArray();

    private final KeyStore identity;
    private final TlsSettings tls;

    private Certificates(KeyStore identity, TlsSettings tls) {
        this.identity = identity;
        this.tls = tls;
    }

    /** Makes them in a directory. */
    public static Certificates in(Path directory) throws Exception {
        Path store = directory.resolve("identity.p12");
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
                                        "CN=localhost",
                                        "-ext",
                                        "san=dns:localhost,dns:server.example,ip:127.0.0.1",
                                        "-storetype",
                                        "PKCS12",
                                        "-keystore",
                                        store.toString(),
                                        "-storepass",
                                        new String(PASSWORD)))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        KeyStore identity = KeyStore.getInstance(store.toFile(), PASSWORD);
        Path key =
                pem(
                        directory.resolve("key.pem"),
                        "PRIVATE KEY",
                        identity.getKey("test", PASSWORD).getEncoded());
        Path certificate =
                pem(
                        directory.resolve("certificate.pem"),
                        "CERTIFICATE",
                        identity.getCertificate("test").getEncoded());
        return new Certificates(identity, new TlsSettings(key, certificate, Optional.empty()));
    }

    private static Path pem(Path file, String label, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
    }

    /** Returns how a server shows this certificate. */
    public TlsSettings tls() {
        return tls;
    }

    /** Returns a client that trusts the certificate, and perhaps shows it. */
    public HttpClient client(boolean withCertificate) throws Exception {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", identity.getCertificate("test"));
        trust.init(trusted);
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(
                withCertificate ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    /** Returns the settings of a listener at any free port that shows the certificate. */
    HttpSettings settings() {
        return HttpSettings.loopback(0).at("127.0.0.1", Optional.of(tls));
    }

    /** Requests an unknown path from a listener. */
    public static HttpResponse<String> get(HttpClient client, String url)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/nowhere")).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
