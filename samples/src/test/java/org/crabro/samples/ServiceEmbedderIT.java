package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Feeds and queries with an embedder of a network service, which a stand-in on this machine
 * answers: an embedding is the length of the text and 1.
 */
class ServiceEmbedderIT {
    private static final String KEY = "sk-hidden-0123456789";
    private static final String BROKEN = "broken";

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <component id="remote" type="openai-embedder">
                  <model>m</model>
                  <dimensions>2</dimensions>
                  <api-key-secret-ref>embedding-key</api-key-secret-ref>
                  <endpoint>http://127.0.0.1:PORT/v1</endpoint>
                </component>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
              }
              field vector type tensor<float>(x[2]) {
                indexing: input text | embed remote | attribute | summary
              }
              rank-profile near {
                inputs { query(q) tensor<float>(x[2]) }
                first-phase { expression: sum(query(q) * attribute(vector)) }
              }
            }
            """;

    @TempDir Path data;

    private final Http http = new Http();
    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/v1/embeddings", this::answer);
        service.start();
    }

    @AfterEach
    void stop() {
        service.stop(0);
        http.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        keys.add(exchange.getRequestHeaders().getFirst("Authorization"));
        JsonNode texts = Http.JSON.readTree(exchange.getRequestBody()).get("input");
        var answer = Http.JSON.createObjectNode();
        var embeddings = answer.putArray("data");
        boolean isBroken = false;
        for (int i = 0; i < texts.size(); i++) {
            isBroken |= texts.get(i).asString().equals(BROKEN);
            embeddings
                    .addObject()
                    .put("index", i)
                    .putArray("embedding")
                    .add(texts.get(i).asString().length())
                    .add(1);
        }
        byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isBroken ? 400 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void aServiceIsCalledOnlyIfTheOperatorAllowsIt() throws Exception {
        try (var server = CrabroServer.start(ServerSettings.onAnyPorts(data))) {
            Http.Answer refused = deploy(server);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().get("message").asString())
                    .contains(
                            "component 'remote': this server does not call 127.0.0.1:",
                            "its operator allows it with --services 127.0.0.1:");
            assertThat(keys).isEmpty();
        }
    }

    @Test
    void documentsAndQueriesAreEmbeddedByTheService() throws Exception {
        Path secrets = Files.createDirectory(data.resolve("secrets"));
        var rules =
                new ServiceRules(
                        Secrets.of(Map.of(), Optional.of(secrets)), ServiceHosts.of("127.0.0.1"));
        try (var server =
                CrabroServer.start(
                        ServerSettings.onAnyPorts(data.resolve("server")).withServices(rules))) {
            Http.Answer deployed = deploy(server);
            assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);

            Http.Answer withoutKey = put(server, "1", "four");
            assertThat(withoutKey.status()).isEqualTo(500);
            assertThat(withoutKey.toString()).contains("there is no secret 'embedding-key'");

            Files.writeString(secrets.resolve("embedding-key"), KEY + "\n");
            Http.Answer stored = put(server, "1", "four");
            assertThat(stored.status()).as("%s", stored).isEqualTo(200);
            assertThat(keys).containsExactly("Bearer " + KEY);
            Http.Answer broken = put(server, "2", BROKEN);
            assertThat(broken.status()).isEqualTo(500);
            assertThat(broken.toString())
                    .contains("127.0.0.1 answered with status 400")
                    .doesNotContain(KEY);

            bulk(server);

            // 3 * 4 + 1 and 3 * 5 + 1.
            assertThat(relevances(server, "abc")).containsExactly(16.0, 13.0);
            int before = keys.size();
            assertThat(relevances(server, "abc")).containsExactly(16.0, 13.0);
            assertThat(keys).as("the embedding of the query is cached").hasSize(before);
            Http.Answer failed = search(server, BROKEN);
            assertThat(failed.status()).isEqualTo(503);
            assertThat(failed.toString())
                    .contains("embedder 'remote': 127.0.0.1 answered with status 400")
                    .doesNotContain(KEY);
        }
    }

    private Http.Answer deploy(CrabroServer server) throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                SERVICES.replace(
                                        "PORT", Integer.toString(service.getAddress().getPort())),
                                "schemas/note.sd",
                                SCHEMA)));
    }

    private Http.Answer put(CrabroServer server, String id, String text) throws Exception {
        return http.post(
                server.container().resolve("/document/v1/n/note/group/g/" + id),
                Http.JSON.readTree("{\"fields\":{\"text\":\"%s\"}}".formatted(text)));
    }

    private void bulk(CrabroServer server) throws Exception {
        String lines =
                """
                {"put":"id:n:note:g=g:3","fields":{"text":"fives"}}
                {"put":"id:n:note:g=g:4","fields":{"text":"broken"}}
                """;
        try (var client = HttpClient.newHttpClient()) {
            String answers =
                    client.send(
                                    HttpRequest.newBuilder(
                                                    server.container().resolve("/document/v1/"))
                                            .header("Content-Type", "application/jsonl")
                                            .POST(HttpRequest.BodyPublishers.ofString(lines))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            assertThat(answers).contains("answered with status 400").doesNotContain(KEY);
        }
    }

    private List<Double> relevances(CrabroServer server, String text) throws Exception {
        Http.Answer answer = search(server, text);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body()
                .get("root")
                .get("children")
                .valueStream()
                .map(hit -> hit.get("relevance").asDouble())
                .toList();
    }

    private Http.Answer search(CrabroServer server, String text) throws Exception {
        return http.get(
                server.container()
                        .resolve(
                                "/search/?timeout=30s&streaming.groupname=g&ranking=near"
                                        + "&yql=select+*+from+note+where+true&input.query(q)=embed("
                                        + text
                                        + ")"));
    }
}
