package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.TlsSettings;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What services.xml says of clients: with TLS it takes effect, and without it is a warning. */
class ServicesClientsIT {
    private static final String CLIENTS =
            """
            <clients>
              <client id="reader" permissions="read"><certificate file="security/reader.pem"/></client>
              <client id="writer"><certificate file="security/writer.pem"/></client>
              <client id="feeder"><token id="unknown"/></client>
            </clients>
            <search/>
            """;

    private static final String CONTROL =
            """
            <http>
              <server id="default"/>
              <filtering>
                <access-control domain="home" read="false">
                  <exclude><binding>http://*/document/v1/home/note/group/open/*</binding></exclude>
                </access-control>
              </filtering>
            </http>
            <search/>
            """;

    @TempDir static Path directory;
    @TempDir Path data;

    private static TestIdentity localhost;
    private static TestIdentity reader;
    private static TestIdentity writer;

    @BeforeAll
    static void makeCertificates() throws Exception {
        localhost = TestIdentity.make(directory.resolve("s"), "CN=localhost", "ip:127.0.0.1");
        reader = TestIdentity.make(directory.resolve("r"), "CN=reader", "dns:reader");
        writer = TestIdentity.make(directory.resolve("w"), "CN=writer", "dns:writer");
    }

    @Test
    void clientsHaveTheirPermissionsWithTls() throws Exception {
        try (var server = CrabroServer.start(settings(Optional.empty()));
                HttpClient anyone = localhost.stranger();
                HttpClient reading = reader.client(localhost);
                HttpClient writing = writer.client(localhost);
                HttpClient own = localhost.client(localhost)) {
            // Nothing says who may, and who may not.
            assertThat(deploy(anyone, server, "<search/>").statusCode()).isEqualTo(200);
            assertThat(put(anyone, server, "a")).isEqualTo(200);

            HttpResponse<String> deployed = deploy(anyone, server, CLIENTS);

            assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
            assertThat(deployed.body())
                    .contains("the access file has no principal 'unknown' for the token")
                    .doesNotContain("no effect without TLS");
            assertThat(get(anyone, server, "a")).isEqualTo(401);
            assertThat(put(anyone, server, "a")).isEqualTo(401);
            assertThat(get(reading, server, "a")).isEqualTo(200);
            assertThat(put(reading, server, "a")).isEqualTo(403);
            assertThat(get(writing, server, "a")).isEqualTo(200);
            assertThat(put(writing, server, "a")).isEqualTo(200);
            // The port does not name its issuer, so that the client does not show it.
            assertThat(get(own, server, "a")).isEqualTo(401);
            assertThat(
                            send(
                                            anyone,
                                            HttpRequest.newBuilder(
                                                    server.container().resolve("/state/v1/health")))
                                    .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aTrustedCertificateIsRefusedOrEnoughAsServicesSay() throws Exception {
        try (var server = CrabroServer.start(settings(Optional.of(localhost.certificate())));
                HttpClient anyone = localhost.stranger();
                HttpClient own = localhost.client(localhost)) {
            assertThat(deploy(own, server, CLIENTS).statusCode()).isEqualTo(200);
            assertThat(get(own, server, "a")).isEqualTo(403);

            HttpResponse<String> deployed = deploy(anyone, server, CONTROL);

            assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
            assertThat(get(anyone, server, "a")).isEqualTo(404);
            assertThat(put(anyone, server, "a")).isEqualTo(401);
            assertThat(put(anyone, server, "open")).isEqualTo(200);
            // Groups of other names, which a careless reader takes for 'open'.
            assertThat(put(anyone, server, "open;x")).isEqualTo(401);
            assertThat(put(anyone, server, "open%2Fx")).isEqualTo(401);
            assertThat(put(anyone, server, "a%2F..%2Fopen")).isEqualTo(401);
            assertThat(put(anyone, server, "open/../a")).isEqualTo(400);
            assertThat(put(anyone, server, "open/%2e%2e/a")).isEqualTo(400);
            assertThat(put(own, server, "a")).isEqualTo(200);
        }
    }

    @Test
    void withoutTlsADeploymentWarns() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                HttpClient anyone = HttpClient.newHttpClient()) {
            for (String services : List.of(CLIENTS, CONTROL)) {
                HttpResponse<String> deployed = deploy(anyone, server, services);

                assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
                assertThat(deployed.body())
                        .contains("clients and access-control have no effect without TLS");
                assertThat(put(anyone, server, "a")).isEqualTo(200);
            }
        }
    }

    private ServerSettings settings(Optional<Path> authorities) {
        var tls =
                new TlsSettings(
                        localhost.key(),
                        localhost.certificate(),
                        authorities,
                        authorities.isPresent()
                                ? TlsSettings.Clients.ASKED
                                : TlsSettings.Clients.ANY,
                        List.of(),
                        List.of());
        HttpSettings http = HttpSettings.loopback(0).at("127.0.0.1", Optional.of(tls));
        return TestSettings.of(data, http, true, http);
    }

    private static int get(HttpClient client, CrabroServer server, String group) throws Exception {
        return send(client, HttpRequest.newBuilder(document(server, group))).statusCode();
    }

    private static int put(HttpClient client, CrabroServer server, String group) throws Exception {
        return send(
                        client,
                        HttpRequest.newBuilder(document(server, group))
                                .POST(BodyPublishers.ofString("{\"fields\":{\"text\":\"a\"}}")))
                .statusCode();
    }

    private static URI document(CrabroServer server, String group) {
        return server.container().resolve("/document/v1/home/note/group/" + group + "/1");
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
            throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> deploy(
            HttpClient client, CrabroServer server, String search) throws Exception {
        return send(
                client,
                HttpRequest.newBuilder(
                                server.config()
                                        .resolve(
                                                "/application/v2/tenant/default/prepareandactivate"))
                        .header("Content-Type", "application/zip")
                        .POST(
                                BodyPublishers.ofByteArray(
                                        Http.zip(
                                                Map.of(
                                                        "services.xml",
                                                        NotesApplication.SERVICES.replace(
                                                                "<search/>", search),
                                                        "schemas/note.sd",
                                                        NotesApplication.SCHEMA,
                                                        "security/reader.pem",
                                                        reader.pem(),
                                                        "security/writer.pem",
                                                        writer.pem())))));
    }
}
