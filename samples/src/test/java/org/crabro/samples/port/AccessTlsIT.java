package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedOperation;
import org.crabro.client.http.ClientTls;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.QueryClient;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.TlsSettings;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Principals with client certificates and with tokens, over TLS. */
class AccessTlsIT {
    private static final String ANNA =
            "[anna]\npermissions = read, write\ngroups = anna\ncertificate = email:anna@*\n";
    private static final String OTHERS =
            "[operator]\npermissions = all\ncertificate = CN=operator,O=Example\n"
                    + "[feeder]\npermissions = read\ntoken = "
                    + TokenHash.of("feeder")
                    + "\n";

    @TempDir static Path directory;

    private static TestIdentity localhost;
    private static TestIdentity anna;
    private static TestIdentity operator;
    private static TestIdentity berta;
    private static CrabroServer server;

    @BeforeAll
    static void start() throws Exception {
        localhost = TestIdentity.make(directory.resolve("s"), "CN=localhost", "ip:127.0.0.1");
        anna = TestIdentity.make(directory.resolve("a"), "CN=Anna", "email:anna@example.com");
        operator =
                TestIdentity.make(directory.resolve("o"), "CN=operator,O=Example", "dns:operator");
        berta = TestIdentity.make(directory.resolve("b"), "CN=Berta", "email:berta@example.com");
        Path authorities =
                Files.writeString(
                        directory.resolve("authorities.pem"),
                        anna.pem() + operator.pem() + berta.pem());
        Files.writeString(directory.resolve("access"), ANNA + OTHERS);
        var tls =
                new TlsSettings(
                        localhost.key(),
                        localhost.certificate(),
                        Optional.of(authorities),
                        TlsSettings.Clients.ASKED,
                        List.of(),
                        List.of());
        HttpSettings http = HttpSettings.loopback(0).at("127.0.0.1", Optional.of(tls));
        server =
                CrabroServer.start(
                        TestSettings.of(directory.resolve("data"), http, true, http)
                                .withAccess(AccessControl.of(directory.resolve("access"))));
        try (HttpClient client = operator.client(localhost)) {
            HttpResponse<String> deployed = deploy(client);
            assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    @Timeout(60)
    void aCertificateHasThePermissionsAndGroupsOfItsPrincipal() throws Exception {
        try (HttpClient client = anna.client(localhost)) {
            HttpResponse<String> own = put(client, "anna");
            HttpResponse<String> others = put(client, "berta");
            HttpResponse<String> deployed = deploy(client);

            assertThat(own.statusCode()).as(own.body()).isEqualTo(200);
            assertThat(others.statusCode()).isEqualTo(403);
            assertThat(others.body()).contains("'anna' may not touch group 'berta'");
            assertThat(deployed.statusCode()).isEqualTo(403);
            assertThat(deployed.body()).contains("'anna' lacks permission deploy");

            // The same connection, with other rules: the certificate is looked at again.
            Files.writeString(directory.resolve("access"), OTHERS);
            HttpResponse<String> removed = put(client, "anna");
            while (removed.statusCode() == 200) {
                removed = put(client, "anna");
            }
            Files.writeString(directory.resolve("access"), ANNA + OTHERS);
            HttpResponse<String> back = put(client, "anna");
            while (back.statusCode() == 403) {
                back = put(client, "anna");
            }

            assertThat(removed.statusCode()).as(removed.body()).isEqualTo(403);
            assertThat(removed.body()).contains("no principal has the certificate of 'CN=Anna'");
            assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
        }
    }

    @Test
    void aCertificateThatNoPrincipalHasIsRefused() throws Exception {
        try (HttpClient client = berta.client(localhost)) {
            assertThat(put(client, "berta").statusCode()).isEqualTo(403);
            assertThat(deploy(client).statusCode()).isEqualTo(403);
            assertThat(get(client, server.config().resolve("/state/v1/health"), "").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aClientWithoutACertificateNeedsAToken() throws Exception {
        URI search = server.container().resolve("/search/?yql=select+*+from+note+where+true");
        try (HttpClient client = localhost.stranger()) {
            assertThat(get(client, search, "").statusCode()).isEqualTo(401);
            assertThat(get(client, search, "feeder").statusCode()).isEqualTo(400);
            assertThat(get(client, search, "other").statusCode()).isEqualTo(401);
            assertThat(deploy(client).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aTokenCountsBeforeACertificate() throws Exception {
        try (HttpClient client = operator.client(localhost)) {
            assertThat(get(client, server.config().resolve("/application/v2/tenant/"), "feeder"))
                    .returns(403, HttpResponse::statusCode)
                    .satisfies(answer -> assertThat(answer.body()).contains("'feeder' lacks"));
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI address, String token)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theJavaClientPresentsACertificateOrAToken() throws Exception {
        ServerAccess access = ServerAccess.of(server.container());
        ClientTls trusting = ClientTls.trusting(localhost.certificate());
        ClientTls identified =
                ClientTls.of(
                        Optional.of(localhost.certificate()),
                        Optional.of(
                                new ClientTls.Identity(operator.certificate(), operator.key())));
        ClientQuery wrong = ClientQuery.of("select");

        try (var client = FeedClient.connect(access.withTls(identified))) {
            var put = FeedOperation.put("id:home:note:g=me:1", Map.of("text", "a"));

            assertThat(client.send(put).join().status()).isEqualTo(200);
            assertThat(client.isMultiplexed()).isTrue();
        }
        assertThat(statusOf(access.withTls(trusting).withToken("feeder"), wrong)).isEqualTo(400);
        assertThat(statusOf(access.withTls(trusting), wrong)).isEqualTo(401);
        assertThatThrownBy(() -> statusOf(access, wrong)).isInstanceOf(SSLException.class);
    }

    private static int statusOf(ServerAccess access, ClientQuery query) throws Exception {
        try (var client = new QueryClient(access)) {
            client.search(query);
            return 200;
        } catch (ServerRefusalException e) {
            return e.status();
        }
    }

    private static HttpResponse<String> put(HttpClient client, String group) throws Exception {
        return client.send(
                HttpRequest.newBuilder(
                                server.container()
                                        .resolve("/document/v1/home/note/group/" + group + "/1"))
                        .POST(BodyPublishers.ofString("{\"fields\":{\"text\":\"a\"}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> deploy(HttpClient client) throws Exception {
        return client.send(
                HttpRequest.newBuilder(
                                server.config()
                                        .resolve(
                                                "/application/v2/tenant/default/prepareandactivate"))
                        .header("Content-Type", "application/zip")
                        .POST(BodyPublishers.ofByteArray(NotesApplication.zip()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
