package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.crabro.server.settings.Assignment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys a package with a constant that is at a URI. */
class UriConstantIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
              }
              constant weights {
                uri: http://127.0.0.1:PORT/files/weights.json
                type: tensor<float>(x[2])
              }
              rank-profile weighed {
                first-phase { expression: sum(constant(weights)) }
              }
            }
            """;

    @TempDir Path data;

    private final Http http = new Http();
    private HttpServer files;

    @BeforeEach
    void start() throws Exception {
        files = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = "{\"values\": [3, 4]}".getBytes(StandardCharsets.UTF_8);
        files.createContext(
                "/files/weights.json",
                exchange -> {
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        files.start();
    }

    @AfterEach
    void stop() {
        files.stop(0);
        http.close();
    }

    @Test
    void aConstantAtAUriIsFetchedOnlyIfTheOperatorAllowsIt() throws Exception {
        var settings = TestSettings.onAnyPorts(data);
        try (var server = CrabroServer.start(settings)) {
            Http.Answer refused = deploy(server);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().get("message").asString())
                    .contains(
                            "schemas/note.sd:6:10: constant 'weights' is at a URI: this server does not"
                                    + " call 127.0.0.1:",
                            ", or the setting services.hosts. Put the file into the package, such as"
                                    + " models/weights.json, and write 'file: models/weights.json'"
                                    + " instead of uri");
        }
        var allowing =
                settings.tree()
                        .with(List.of(new Assignment("services.hosts", "127.0.0.1", "here")));
        try (var server = CrabroServer.start(allowing)) {
            Http.Answer deployed = deploy(server);
            assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
            put(server);

            assertThat(relevance(server)).isEqualTo(7);
        }
        files.stop(0);
        try (var server = CrabroServer.start(allowing)) {
            assertThat(relevance(server))
                    .as("after a restart without the other server")
                    .isEqualTo(7);
            assertThat(deploy(server).status()).isEqualTo(200);
        }
    }

    private Http.Answer deploy(CrabroServer server) throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                SCHEMA.replace(
                                        "PORT", Integer.toString(files.getAddress().getPort())))));
    }

    private void put(CrabroServer server) throws Exception {
        Http.Answer put =
                http.post(
                        server.container().resolve("/document/v1/n/note/group/g/1"),
                        Http.JSON.readTree("{\"fields\":{\"text\":\"a\"}}"));
        assertThat(put.status()).as("%s", put).isEqualTo(200);
    }

    private double relevance(CrabroServer server) throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?timeout=30s&streaming.groupname=g&ranking=weighed"
                                                + "&yql=select+*+from+note+where+true"));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().get("root").get("children").get(0).get("relevance").asDouble();
    }
}
