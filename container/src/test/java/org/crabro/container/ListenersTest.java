package org.crabro.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.Certificates;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.http.TlsSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenersTest {
    private static final Optional<TlsSettings> CLEAR = Optional.empty();

    @TempDir Path directory;

    private Certificates certificates;
    private HttpClient client;
    private Listeners listeners;
    private int port;

    @BeforeEach
    void listen() throws Exception {
        certificates = Certificates.in(directory);
        client = certificates.client(false);
        listeners = new Listeners(0, CLEAR, true, ListenersTest::open);
        port = listeners.first().port();
    }

    @AfterEach
    void close() {
        client.close();
        listeners.close();
    }

    private static HttpListener open(int port, Optional<TlsSettings> tls) throws IOException {
        return HttpListener.start(
                HttpSettings.loopback(port).at("127.0.0.1", tls),
                new NotFoundHandler(),
                new AccessLog());
    }

    private int status(String scheme) throws Exception {
        return Certificates.get(client, scheme + "://127.0.0.1:" + port).statusCode();
    }

    @Test
    void speaksTlsAndCleartextInTurnAtOnePort() throws Exception {
        int clear = status("http");
        listeners.add(Map.of(port, Optional.of(certificates.tls())));
        String url = listeners.first().url();
        int secure = status("https");
        assertThatThrownBy(() -> status("http")).isInstanceOf(IOException.class);
        listeners.add(Map.of(port, CLEAR));

        assertThat(url).isEqualTo("https://127.0.0.1:" + port);
        assertThat(clear).isEqualTo(404);
        assertThat(secure).isEqualTo(404);
        assertThat(status("http")).isEqualTo(404);
    }

    @Test
    void changesNothingWhereAFileIsMissing() throws Exception {
        var missing =
                new TlsSettings(
                        directory.resolve("none.pem"),
                        certificates.tls().certificates(),
                        Optional.empty());

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> listeners.add(Map.of(port, Optional.of(missing))))
                .withMessageContaining("none.pem");
        assertThat(status("http")).isEqualTo(404);
    }

    @Test
    void turnsBackWhereAnotherPortCannotBeHad() throws Exception {
        try (var taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            var wanted = new LinkedHashMap<Integer, Optional<TlsSettings>>();
            wanted.put(port, Optional.of(certificates.tls()));
            wanted.put(taken.getLocalPort(), CLEAR);

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> listeners.add(wanted))
                    .withMessageContaining(Integer.toString(taken.getLocalPort()));
        }

        assertThat(status("http")).isEqualTo(404);
        assertThat(listeners.first().isSecure()).isFalse();
    }
}
