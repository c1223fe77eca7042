package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Opens a real port, because the listener installs the counters of requests. */
class GuardedMetricsTest {
    private static final String REQUEST =
            "GET / HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n";

    @Test
    void refusalsOfTheBrowserGuardAreCounted() throws Exception {
        var registry = new SimpleMeterRegistry();
        String answer;
        try (var listener =
                        HttpListener.start(
                                HttpSettings.loopback(0),
                                new NotFoundHandler(),
                                _ -> false,
                                () -> BrowserRules.NONE,
                                new AccessLog(),
                                registry);
                var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }

        assertThat(answer).startsWith("HTTP/1.1 403 ");
        assertThat(registry.get("http.status.4xx").timer().count()).isEqualTo(1);
        assertThat(registry.get("http.requests").timer().count()).isEqualTo(1);
    }
}
