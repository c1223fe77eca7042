package org.crabro.samples.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
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

    private static final String EMBEDDER =
            """
            <component id="remote" type="openai-embedder">
              <model>m</model>
              <dimensions>2</dimensions>
              <api-key-secret-ref>embedding-key</api-key-secret-ref>
              <endpoint>http://127.0.0.1:PORT/v1</endpoint>
            </component>
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

    private ServedPackage served(ServerSettings settings) throws Exception {
        return new ServedPackage(
                settings,
                Map.of(
                        "services.xml",
                        NotesApplication.SERVICES.replace(
                                "<search/>",
                                "<search/>"
                                        + EMBEDDER.replace(
                                                "PORT",
                                                Integer.toString(service.getAddress().getPort()))),
                        "schemas/note.sd",
                        SCHEMA));
    }

    @Test
    void aServiceIsCalledOnlyIfTheOperatorAllowsIt() throws Exception {
        try (var served = served(TestSettings.onAnyPorts(data))) {
            ServedPackage.Answer refused = served.deployment();

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.message())
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
        try (var served =
                served(TestSettings.onAnyPorts(data.resolve("server")).withServices(rules))) {
            ServedPackage.Answer deployed = served.deployment();
            assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);

            ServedPackage.Answer withoutKey = put(served, "1", "four");
            assertThat(withoutKey.status()).isEqualTo(500);
            assertThat(withoutKey.body()).contains("there is no secret 'embedding-key'");

            Files.writeString(secrets.resolve("embedding-key"), KEY + "\n");
            ServedPackage.Answer stored = put(served, "1", "four");
            assertThat(stored.status()).as("%s", stored).isEqualTo(200);
            assertThat(keys).containsExactly("Bearer " + KEY);
            ServedPackage.Answer broken = put(served, "2", BROKEN);
            assertThat(broken.status()).isEqualTo(500);
            assertThat(broken.body())
                    .contains("127.0.0.1 answered with status 400")
                    .doesNotContain(KEY);

            String bulk =
                    served.post(
                                    "/document/v1/",
                                    """
                                    {"put":"id:n:note:g=g:3","fields":{"text":"fives"}}
                                    {"put":"id:n:note:g=g:4","fields":{"text":"broken"}}
                                    """,
                                    "Content-Type",
                                    "application/jsonl")
                            .body();
            assertThat(bulk).contains("answered with status 400").doesNotContain(KEY);

            // 3 * 4 + 1 and 3 * 5 + 1.
            assertThat(relevances(served, "abc")).containsExactly(16.0, 13.0);
            int before = keys.size();
            assertThat(relevances(served, "abc")).containsExactly(16.0, 13.0);
            assertThat(keys).as("the embedding of the query is cached").hasSize(before);
            ServedPackage.Answer failed = search(served, BROKEN);
            assertThat(failed.status()).isEqualTo(503);
            assertThat(failed.body())
                    .contains("embedder 'remote': 127.0.0.1 answered with status 400")
                    .doesNotContain(KEY);
        }
    }

    private static ServedPackage.Answer put(ServedPackage served, String id, String text)
            throws Exception {
        return served.post(
                "/document/v1/n/note/group/g/" + id,
                "{\"fields\":{\"text\":\"%s\"}}".formatted(text));
    }

    private static List<Double> relevances(ServedPackage served, String text) throws Exception {
        ServedPackage.Answer answer = search(served, text);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.json()
                .get("root")
                .get("children")
                .valueStream()
                .map(hit -> hit.get("relevance").asDouble())
                .toList();
    }

    private static ServedPackage.Answer search(ServedPackage served, String text) throws Exception {
        return served.search(
                "g",
                "select * from note where true",
                "&ranking=near&input.query(q)=embed(" + text + ")");
    }
}
