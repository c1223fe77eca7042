package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.container.http.HttpSettings;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Deploys services.xml files to a running server, and asks for what they say. */
class ServicesIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final String CONVERGE =
            "/application/v2/tenant/default/application/default/environment/prod/region/default"
                    + "/instance/default/serviceconverge";
    private static final String DOCUMENT = "/document/v1/test/note/group/anna/1";
    private static final String QUERY =
            "/search/?yql=select+*+from+note+where+true&timeout=30s&streaming.groupname=anna";

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    /** Where nobody gave a port on the command line, the package's count. */
    @BeforeEach
    void start() throws Exception {
        server =
                CrabroServer.start(
                        TestSettings.of(
                                data, HttpSettings.loopback(0), false, HttpSettings.loopback(0)));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void answersEachClusterAtItsOwnPort() throws Exception {
        List<Integer> free = FreePorts.several(3);
        String services =
                NotesApplication.SERVICES.replace(
                        """
                        <container id="default" version="1.0">
                            <search/>
                            <document-api/>\
                        """,
                        """
                        <container id="feed" version="1.0">
                            <document-api/>
                            <http>
                              <server id="a" port="%d"/>
                              <server id="b" port="%d"/>
                            </http>
                          </container>
                          <container id="query" version="1.0">
                            <search><chain id="mine" inherits="vespa"/></search>
                            <http><server id="c" port="%d"/></http>\
                        """
                                .formatted(free.get(0), free.get(1), free.get(2)));
        deploy(services);
        URI first = port(free.get(0));
        URI second = port(free.get(1));
        URI third = port(free.get(2));

        Http.Answer put = http.post(first.resolve(DOCUMENT), document("{}"));
        Http.Answer again = http.post(second.resolve(DOCUMENT), document("{}"));

        assertThat(put.status()).isEqualTo(200);
        assertThat(again.status()).isEqualTo(200);
        assertThat(http.get(first.resolve(QUERY)).status()).isEqualTo(404);
        assertThat(http.post(third.resolve(DOCUMENT), document("{}")).status()).isEqualTo(404);
        assertThat(http.get(third.resolve(QUERY)).status()).isEqualTo(200);
        assertThat(http.get(third.resolve(QUERY + "&searchChain=mine")).status()).isEqualTo(200);
        assertThat(http.get(third.resolve(QUERY + "&searchChain=yours")).status()).isEqualTo(400);
        assertThat(services())
                .containsExactly(
                        "feed " + free.get(0), "feed " + free.get(1), "query " + free.get(2));
    }

    @Test
    void namesThePortsThatThePackageMovesQueriesAndDocumentsTo() throws Exception {
        List<Integer> free = FreePorts.several(2);
        deploy(
                NotesApplication.SERVICES.replace(
                        """
                        <container id="default" version="1.0">
                            <search/>
                            <document-api/>\
                        """,
                        """
                        <container id="feed" version="1.0">
                            <document-api/>
                            <http><server id="a" port="%d"/></http>
                          </container>
                          <container id="query" version="1.0">
                            <search/>
                            <http><server id="b" port="%d"/></http>\
                        """
                                .formatted(free.get(0), free.get(1))));
        assertPorts(free.get(0), free.get(1));
        server.close();
        start();
        assertPorts(free.get(0), free.get(1));
        deploy(withServers(free.get(0)));
        assertThat(server.container()).isEqualTo(port(free.get(0)));
        assertThat(server.documents()).isEqualTo(port(free.get(0)));
    }

    @Test
    void startsIfThePackageMovesThePortAndTheDefaultIsTaken() throws Exception {
        int free = FreePorts.one();
        deploy(withServers(free));
        server.close();
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var settings =
                    TestSettings.of(
                            data,
                            HttpSettings.loopback(taken.getLocalPort()),
                            false,
                            HttpSettings.loopback(0));
            server = CrabroServer.start(settings);
            assertThat(server.container()).isEqualTo(port(free));
            assertThat(http.get(server.container().resolve(QUERY)).status()).isEqualTo(200);
            assertThat(tryDeploy(NotesApplication.SERVICES).body().get("message").asString())
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
            assertThat(http.get(server.container().resolve(QUERY)).status()).isEqualTo(200);
            server.close();
            assertThatThrownBy(() ->
                            CrabroServer.start(
                                    TestSettings.of(
                                            data.resolve("empty"),
                                            HttpSettings.loopback(taken.getLocalPort()),
                                            false,
                                            HttpSettings.loopback(0))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    private void assertPorts(int documents, int search) throws Exception {
        assertThat(server.documents()).isEqualTo(port(documents));
        assertThat(server.container()).isEqualTo(port(search));
        assertThat(services()).containsExactly("feed " + documents, "query " + search);
        assertThat(http.post(server.documents().resolve(DOCUMENT), document("{}")).status())
                .isEqualTo(200);
        assertThat(http.get(server.container().resolve(QUERY)).status()).isEqualTo(200);
    }

    @Test
    void answersQueriesWhereThePackageBindsThem() throws Exception {
        deploy(
                NotesApplication.SERVICES.replace(
                        "<search/>",
                        "<search><binding>http://*/find/*</binding><binding>http://*/ask</binding></search>"));
        URI container = server.container();
        assertThat(http.post(container.resolve(DOCUMENT), document("{}")).status()).isEqualTo(200);
        String find = QUERY.replace("/search/", "/find/notes");
        String ask = QUERY.replace("/search/", "/ask");

        assertThat(hits(http.get(container.resolve(find)))).isEqualTo(1);
        assertThat(hits(http.get(container.resolve(ask)))).isEqualTo(1);
        assertThat(hits(http.post(container.resolve(ask), Http.JSON.createObjectNode())))
                .isEqualTo(1);
        assertThat(http.get(container.resolve(QUERY)).status()).isEqualTo(404);
        assertThat(http.get(container.resolve("/")).body().toString())
                .contains("/find/*", "/ask")
                .doesNotContain("/search/*");
    }

    @Test
    void answersBelowThePathsAndTheNamesThatThePackageBinds() throws Exception {
        deploy(
                NotesApplication.SERVICES
                        .replace(
                                "<search/>",
                                "<search><binding>http://find.test/search/*</binding></search>")
                        .replace(
                                "<document-api/>",
                                """
                                <document-api>
                                      <binding>http://*/mine/</binding>
                                      <binding>http://*/yours/document/v1/*</binding>
                                    </document-api>\
                                """));
        URI container = server.container();
        String slashed = DOCUMENT.replace("/document/", "/mine/document/") + "%2Fa%25";
        assertThat(http.post(container.resolve(slashed), document("{}")).status()).isEqualTo(200);
        String same = slashed.replace("/mine/", "/yours/");

        assertThat(http.get(container.resolve(same)).body().get("id").asString()).endsWith("/a%");
        assertThat(http.get(container.resolve(slashed.substring("/mine".length()))).status())
                .isEqualTo(404);
        assertThat(http.get(container.resolve(QUERY)).status()).isEqualTo(404);
        assertThat(raw("find.test:" + container.getPort(), QUERY)).startsWith("HTTP/1.1 200");
        assertThat(raw("find.tests", QUERY)).startsWith("HTTP/1.1 403");
        assertThat(http.get(container.resolve("/")).body().toString())
                .contains("/mine/document/v1/*", "/yours/document/v1/*")
                .doesNotContain("\"/document/v1/*");
    }

    /** What is answered to who calls the server by a name of its own. */
    private String raw(String host, String target) throws IOException {
        URI container = server.container();
        try (var socket = new Socket(container.getHost(), container.getPort())) {
            String request =
                    "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(target, host);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static int hits(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root").path("children").size();
    }

    @Test
    void answersForClustersOnHostsOfTheirOwnAtOnePort() throws Exception {
        String services =
                NotesApplication.SERVICES.replace(
                        """
                        <container id="default" version="1.0">
                            <search/>
                            <document-api/>\
                        """,
                        """
                        <container id="feed" version="1.0">
                            <document-api/>
                            <document-processing/>
                            <nodes><node hostalias="node1"/></nodes>
                          </container>
                          <container id="query" version="1.0">
                            <search/>
                            <nodes><node hostalias="node2"/></nodes>\
                        """);
        Http.Answer deployed =
                http.post(
                        server.config().resolve(DEPLOY),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "services.xml",
                                        services,
                                        "hosts.xml",
                                        """
                                        <hosts>
                                          <host name="one"><alias>node1</alias></host>
                                          <host name="two"><alias>node2</alias></host>
                                        </hosts>
                                        """,
                                        "schemas/note.sd",
                                        NotesApplication.SCHEMA)));

        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        assertThat(http.post(server.container().resolve(DOCUMENT), document("{}")).status())
                .isEqualTo(200);
        assertThat(http.get(server.container().resolve(QUERY)).status()).isEqualTo(200);
        assertThat(raw("two:8080", QUERY)).startsWith("HTTP/1.1 200");
        assertThat(raw("three:8080", QUERY)).startsWith("HTTP/1.1 403");
        int port = server.container().getPort();
        assertThat(services()).containsExactly("feed " + port, "query " + port);
    }

    @Test
    void answersForClustersWithNumbersOfNodesAtOnePort() throws Exception {
        deploy(
                NotesApplication.SERVICES.replace(
                        """
                        <container id="default" version="1.0">
                            <search/>
                            <document-api/>\
                        """,
                        """
                        <container id="feed" version="1.0">
                            <document-api/>
                            <document-processing/>
                            <nodes count="2"/>
                          </container>
                          <container id="query" version="1.0">
                            <search><chain id="mine" inherits="vespa"/></search>
                            <nodes count="3"/>\
                        """));
        URI container = server.container();

        assertThat(http.post(container.resolve(DOCUMENT), document("{}")).status()).isEqualTo(200);
        assertThat(hits(http.get(container.resolve(QUERY + "&searchChain=mine")))).isEqualTo(1);
        assertThat(services())
                .containsExactly("feed " + container.getPort(), "query " + container.getPort());
    }

    @Test
    void closesPortsThatTheNextPackageDoesNotName() throws Exception {
        List<Integer> free = FreePorts.several(2);
        deploy(withServers(free.get(0), free.get(1)));
        assertThat(http.get(port(free.get(1)).resolve("/ApplicationStatus")).status())
                .isEqualTo(200);
        deploy(withServers(free.get(0)));

        assertThat(http.get(port(free.get(0)).resolve("/ApplicationStatus")).status())
                .isEqualTo(200);
        assertThatThrownBy(() -> http.get(port(free.get(1)).resolve("/ApplicationStatus")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void staysWithThePortsThatItHasWhereAnotherIsTaken() throws Exception {
        int free = FreePorts.one();
        deploy(withServers(free));
        try (var taken = new ServerSocket(0)) {
            Http.Answer refused = tryDeploy(withServers(free, taken.getLocalPort()));

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().get("message").asString())
                    .contains(Integer.toString(taken.getLocalPort()));
        }
        assertThat(http.get(port(free).resolve(QUERY)).status()).isEqualTo(200);
    }

    @Test
    void acceptsDocumentsAsThePackageSays() throws Exception {
        int free = FreePorts.one();
        String strict = withServers(free);
        deploy(strict);
        String unknown = "{\"text\":\"a\",\"other\":[1]}";
        Http.Answer refused = http.post(port(free).resolve(DOCUMENT), document(unknown));
        deploy(
                strict.replace(
                        "<document-api/>",
                        "<document-api><ignore-undefined-fields>true</ignore-undefined-fields>"
                                + "<max-document-size>1MiB</max-document-size></document-api>"));

        Http.Answer taken = http.post(port(free).resolve(DOCUMENT), document(unknown));
        Http.Answer large =
                http.post(
                        port(free).resolve(DOCUMENT),
                        document("{\"text\":\"" + "a".repeat(1 << 20) + "\"}"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(taken.status()).as(taken.toString()).isEqualTo(200);
        assertThat(large.status()).isEqualTo(413);
    }

    private static String withServers(int... ports) {
        var servers = new StringBuilder("<http>");
        for (int port : ports) {
            servers.append("<server id=\"s%d\" port=\"%d\"/>".formatted(port, port));
        }
        return NotesApplication.SERVICES.replace("<search/>", "<search/>" + servers + "</http>");
    }

    private static URI port(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static JsonNode document(String fields) {
        return Http.JSON.readTree("{\"fields\":" + fields + "}");
    }

    private List<String> services() throws Exception {
        var services = new ArrayList<String>();
        for (JsonNode service :
                http.get(server.config().resolve(CONVERGE)).body().get("services")) {
            services.add(service.get("clusterName").asString() + " " + service.get("port").asInt());
        }
        return services;
    }

    private void deploy(String services) throws Exception {
        Http.Answer answer = tryDeploy(services);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private Http.Answer tryDeploy(String services) throws Exception {
        return http.post(
                server.config().resolve(DEPLOY),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                services,
                                "schemas/note.sd",
                                NotesApplication.SCHEMA)));
    }
}
