package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.TlsSettings;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names by which requests call a server: over HTTP/2, over TLS, and by bindings of a package. */
class BrowserHostsIT {
    private static final String HEALTH = "/state/v1/health";
    private static final String REFUSED = "the host 'attacker.example' is not a name of this";

    @TempDir Path data;
    @TempDir Path keys;

    @Test
    void checksTheAuthorityOfHttp2() throws Exception {
        var client = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()));
        // Every name leads to this machine, as after DNS rebinding.
        client.setSocketAddressResolver((_, port, _, promise) ->
                promise.succeeded(
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))));
        client.start();
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            for (URI port : List.of(server.container(), server.config())) {
                ContentResponse foreign = client.GET(at(port, "attacker.example"));
                ContentResponse own = client.GET(at(port, "localhost"));

                assertThat(foreign.getVersion()).isEqualTo(HttpVersion.HTTP_2);
                assertThat(foreign.getStatus()).isEqualTo(403);
                assertThat(foreign.getContentAsString()).contains(REFUSED);
                assertThat(own.getStatus()).isEqualTo(200);
            }
        } finally {
            client.stop();
        }
    }

    private static URI at(URI port, String host) {
        return URI.create("http://" + host + ":" + port.getPort() + HEALTH);
    }

    /** A client may begin with HTTP/1.1 and go on with HTTP/2 in cleartext. */
    @Test
    void checksTheHostOfAnUpgrade() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data))) {
            assertThat(upgrade(server.container(), "attacker.example")).contains(REFUSED);
            assertThat(upgrade(server.config(), "attacker.example")).contains(REFUSED);
            assertThat(upgrade(server.container(), "localhost"))
                    .contains("\"code\"")
                    .doesNotContain("message\":\"the host");
        }
    }

    /** Returns what a server sends up to the end of the first answer. */
    private static String upgrade(URI port, String host) throws IOException {
        try (var socket = new Socket(port.getHost(), port.getPort())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(
                    """
                    GET %s HTTP/1.1
                    Host: %s
                    Connection: Upgrade, HTTP2-Settings
                    Upgrade: h2c
                    HTTP2-Settings: AAMAAABkAAQAAP__

                    PRI * HTTP/2.0

                    SM

                    """
                            .formatted(HEALTH, host)
                            .replace("\n", "\r\n")
                            .getBytes(ISO_8859_1));
            out.write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            out.flush();
            var read = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.write(next);
                if (next == '}' && read.toString(UTF_8).contains("\"}")) {
                    break;
                }
            }
            return read.toString(UTF_8);
        }
    }

    @Test
    void acceptsTheNamesOfItsCertificate() throws Exception {
        TestIdentity identity =
                TestIdentity.make(
                        keys, "CN=localhost", "ip:127.0.0.1,dns:server.example,dns:*.wild.example");
        var tls = new TlsSettings(identity.key(), identity.certificate(), Optional.empty());
        HttpSettings secured = HttpSettings.loopback(0).at("127.0.0.1", Optional.of(tls));
        try (var server = CrabroServer.start(TestSettings.of(data, secured, true, secured))) {
            for (URI port : List.of(server.container(), server.config())) {
                for (String version : List.of("--http1.1", "--http2")) {
                    assertThat(curl(identity, port, "server.example", version)).isEqualTo("200");
                    assertThat(curl(identity, port, "a.wild.example", version)).isEqualTo("200");
                    assertThat(
                                    curl(
                                            identity,
                                            port,
                                            "server.example",
                                            version,
                                            "-H",
                                            "Host: attacker.example"))
                            .isEqualTo("403");
                }
            }
        }
    }

    /** Returns the status of an answer to a request that calls the server by a name. */
    private static String curl(TestIdentity identity, URI port, String name, String... options)
            throws Exception {
        String place = name + ":" + port.getPort();
        var command =
                new ArrayList<>(
                        List.of("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert"));
        command.addAll(
                List.of(identity.certificate().toString(), "--resolve", place + ":127.0.0.1"));
        command.addAll(List.of(options));
        command.add("https://" + place + HEALTH);
        Process process = new ProcessBuilder(command).start();
        String status = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return status;
    }

    @Test
    void bindingsAllowTheNamesThatTheySayAndNoOthers() throws Exception {
        String bindings =
                """
                <document-api>
                  <binding>http://*/any/</binding>
                  <binding>http://*.example/some/</binding>
                  <binding>http://bound.example/one/</binding>
                </document-api>
                """;
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(
                                    Map.of(
                                            "services.xml",
                                            NotesApplication.SERVICES.replace(
                                                    "<document-api/>", bindings),
                                            "schemas/note.sd",
                                            NotesApplication.SCHEMA)));

            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            for (URI port : List.of(server.container(), server.config())) {
                assertThat(status(port, "bound.example")).isEqualTo("200");
                assertThat(status(port, "attacker.example")).isEqualTo("403");
                assertThat(status(port, "*")).isEqualTo("403");
                assertThat(status(port, "*.example")).isEqualTo("403");
            }
        }
    }

    private static String status(URI port, String host) throws IOException {
        try (var socket = new Socket(port.getHost(), port.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(
                            "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                                    .formatted(HEALTH, host)
                                    .getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            return answer.split(" ", 3)[1];
        }
    }
}
