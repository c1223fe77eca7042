package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deploys the mailbox with a stand-in for its language model, and sends all its queries. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailboxIT {
    private static final Path SAMPLE =
            Path.of(System.getProperty("crabro.root")).resolve("samples/mailbox");

    @TempDir static Path data;
    @TempDir static Path application;

    private final Http http = new Http();
    private ChatService service;
    private CrabroServer server;

    @BeforeAll
    void deployAndFeed() throws Exception {
        service = new ChatService();
        copy(SAMPLE.resolve("target/application"), application);
        Path services = application.resolve("services.xml");
        Files.writeString(
                services,
                Files.readString(services)
                        .replace("http://127.0.0.1:11434/v1/", service.endpoint()));
        server = CrabroServer.start(RagPageIT.settings(data));
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(application));
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        Http.Answer fed =
                http.post(
                        server.container().resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        Files.readAllBytes(SAMPLE.resolve("feed.jsonl")));
        assertThat(fed.body().toString()).contains("\"ok\":7,\"failed\":0");
    }

    private static void copy(Path from, Path to) throws Exception {
        try (var files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    @AfterAll
    void stop() {
        server.close();
        service.close();
        http.close();
    }

    @Test
    void findsWhatItsQueriesSay() throws Exception {
        JsonNode queries = Http.JSON.readTree(Files.readString(SAMPLE.resolve("queries.json")));
        var expected = new ArrayList<String>();
        var found = new ArrayList<String>();
        for (JsonNode query : queries) {
            String name = query.get("name").asString();
            expected.add(name + " " + query.get("finds"));
            found.add(name + " " + Http.JSON.valueToTree(ids(ask(query.get("request")))));
        }

        assertThat(found).containsExactlyElementsOf(expected);
        assertThat(found).hasSizeGreaterThan(5);
    }

    @Test
    void theModelGetsTheBestPartsOfThePersonsMails() throws Exception {
        ObjectNode request = Http.JSON.createObjectNode();
        request.put("yql", "select * from mail where {targetHits: 2}nearestNeighbor(meaning, q)");
        request.put("query", "How much does the new mainsail cost?");
        request.put("input.query(q)", "embed(@query)");
        request.put("ranking", "hybrid");
        request.put("summary", "context");
        request.put("hits", 2);
        request.put("streaming.groupname", "ann");
        request.put("searchChain", "answers");
        request.put("llm.X-LLM-API-KEY", ChatService.KEY);
        request.put("llm.stream", false);

        JsonNode answer = ask(request);

        assertThat(answer.path("root").at("/children/0/children/0/fields/completion").asString())
                .isEqualTo("2 documents: Question: How much does the new mainsail cost?");
        String prompt = service.requests().getLast().at("/messages/0/content").asString();
        assertThat(prompt)
                .startsWith("You answer questions")
                .contains("subject: Offer for a new mainsail", "1,940 euros")
                .doesNotContain("Dear Bob");
    }

    @Test
    void toolsFindMailsToo() throws Exception {
        JsonNode answer =
                http.post(
                                server.container().resolve("/mcp/"),
                                Http.JSON.readTree(
                                        """
                                        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":
                                         {"name":"search","arguments":{"query":"appointment","group":"ann","parameters":{"timeout":"60s"}}}}
                                        """))
                        .body();

        assertThat(answer.at("/result/isError").asBoolean(true)).as(answer.toString()).isFalse();
    }

    private JsonNode ask(JsonNode request) throws Exception {
        ObjectNode body = ((ObjectNode) request).deepCopy();
        body.put("timeout", "60s");
        Http.Answer answer = http.post(server.container().resolve("/search/"), body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<String> ids(JsonNode answer) {
        var ids = new ArrayList<String>();
        for (JsonNode hit : answer.path("root").path("children")) {
            String id = hit.path("id").asString("");
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        return ids;
    }
}
