package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpListenerTlsTest {
    @TempDir Path directory;

    private Certificates certificates;
    private TlsSettings tls;

    @BeforeEach
    void makeCertificate() throws Exception {
        certificates = Certificates.in(directory);
        tls = certificates.tls();
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

    @Test
    void letsClientsInThatAreAskedAndShowNothing() throws Exception {
        var asking = changed(TlsSettings.Clients.ASKED, List.of(), List.of());
        try (var listener = start(asking);
                var stranger = client(false);
                var friend = client(true)) {
            assertThat(get(friend, listener).statusCode()).isEqualTo(404);
            assertThat(get(stranger, listener).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void speaksAnotherWayFromTheNextConnectionOn() throws Exception {
        try (var listener = start(tls);
                var before = client(false)) {
            int open = get(before, listener).statusCode();
            listener.renew(
                    changed(
                            TlsSettings.Clients.KNOWN,
                            List.of("TLS_AES_256_GCM_SHA384"),
                            List.of("TLSv1.3")));
            int same = get(before, listener).statusCode();
            try (var stranger = client(false);
                    var friend = client(true)) {
                HttpResponse<String> response = get(friend, listener);

                assertThat(open).isEqualTo(404);
                assertThat(same).isEqualTo(404);
                assertThat(response.sslSession().orElseThrow().getCipherSuite())
                        .isEqualTo("TLS_AES_256_GCM_SHA384");
                assertThatThrownBy(() -> get(stranger, listener)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void keepsWhatItSpeaksWhereTheNextSettingsAreWrong() throws Exception {
        var wrong = new TlsSettings(tls.certificates(), tls.certificates(), Optional.empty());
        try (var listener = start(tls);
                var client = client(false)) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> listener.renew(wrong));
            assertThat(get(client, listener).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void refusesCipherSuitesThatThereAreNotOrThatAreBroken() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() ->
                        HttpListener.check(
                                changed(TlsSettings.Clients.ANY, List.of("TLS_NONE"), List.of())))
                .withMessage("there is no cipher suite 'TLS_NONE'");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() ->
                        HttpListener.check(
                                changed(
                                        TlsSettings.Clients.ANY,
                                        List.of("TLS_RSA_WITH_AES_128_CBC_SHA"),
                                        List.of())))
                .withMessageContaining("TLS_RSA_WITH_AES_128_CBC_SHA");
    }

    private TlsSettings changed(
            TlsSettings.Clients clients, List<String> suites, List<String> protocols) {
        return new TlsSettings(
                tls.privateKey(),
                tls.certificates(),
                Optional.of(tls.certificates()),
                clients,
                suites,
                protocols);
    }

    private static HttpListener start(TlsSettings tls) throws IOException {
        var settings = HttpSettings.loopback(0).at("127.0.0.1", Optional.of(tls));
        return HttpListener.start(settings, new NotFoundHandler(), new AccessLog());
    }

    private HttpClient client(boolean withCertificate) throws Exception {
        return certificates.client(withCertificate);
    }

    private static HttpResponse<String> get(HttpClient client, HttpListener listener)
            throws IOException, InterruptedException {
        return Certificates.get(client, listener.url());
    }
}
