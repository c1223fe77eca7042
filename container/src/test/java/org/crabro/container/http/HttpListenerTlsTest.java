package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpListenerTlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir Path directory;

    private KeyStore identity;
    private TlsSettings tls;

    @BeforeEach
    void makeCertificate() throws Exception {
        Path store = directory.resolve("identity.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                List.of(
                                        keytool.toString(),
                                        "-genkeypair",
                                        "-alias",
                                        "test",
                                        "-keyalg",
                                        "EC",
                                        "-dname",
                                        "CN=localhost",
                                        "-ext",
                                        "san=dns:localhost,ip:127.0.0.1",
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
        identity = KeyStore.getInstance(store.toFile(), PASSWORD);
        Path key = pem("key.pem", "PRIVATE KEY", identity.getKey("test", PASSWORD).getEncoded());
        Path certificate =
                pem("certificate.pem", "CERTIFICATE", identity.getCertificate("test").getEncoded());
        tls = new TlsSettings(key, certificate, Optional.empty());
    }

    @Test
    void speaksHttp2OverTls() throws Exception {
        try (var listener = start(tls);
                var client = client(false)) {
            HttpResponse<String> response = get(client, listener);

            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.statusCode()).isEqualTo(404);
        }
    }

    @Test
    void letsOnlyClientsWithACertificateIn() throws Exception {
        var mutual =
                new TlsSettings(
                        tls.privateKey(), tls.certificates(), Optional.of(tls.certificates()));
        try (var listener = start(mutual);
                var stranger = client(false);
                var friend = client(true)) {
            assertThat(get(friend, listener).statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> get(stranger, listener)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void namesAFileThatHoldsNoKey() {
        var wrong = new TlsSettings(tls.certificates(), tls.certificates(), Optional.empty());

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> start(wrong))
                .withMessageContaining("certificate.pem")
                .withMessageContaining("does not hold a '-----BEGIN PRIVATE KEY-----' block");
    }

    private static HttpListener start(TlsSettings tls) throws IOException {
        HttpSettings clear = HttpSettings.loopback(0);
        var settings =
                new HttpSettings(
                        clear.address(),
                        0,
                        Optional.of(tls),
                        clear.maxHeaderBytes(),
                        clear.maxStreams(),
                        clear.maxConnections(),
                        clear.idleTimeout());
        return HttpListener.start(settings, new NotFoundHandler(), new AccessLog());
    }

    private HttpClient client(boolean withCertificate) throws Exception {
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

    private static HttpResponse<String> get(HttpClient client, HttpListener listener)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(listener.url() + "/nowhere")).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private Path pem(String name, String label, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                directory.resolve(name),
                "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
    }
}
