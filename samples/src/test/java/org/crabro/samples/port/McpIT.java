package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The tools of a server for language models, called by the client of the protocol's library. */
class McpIT {
    private static final String ACCESS =
            """
            [admin]
            permissions = all
            token = %s
            [ann]
            permissions = read
            groups = ann
            token = %s
            [writer]
            permissions = write
            token = %s
            [eager]
            permissions = read
            token = %s
            requests-per-second = 0.001
            burst = 3
            """
                    .formatted(
                            TokenHash.of("admin"),
                            TokenHash.of("ann"),
                            TokenHash.of("writer"),
                            TokenHash.of("eager"));

    private static final String SCHEMA =
            """
            schema mail {
              document mail {
                field subject type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
              }
              fieldset default { fields: subject }
              document-summary short {
                summary subject {}
              }
              rank-profile near inherits default {
                inputs { query(q) tensor<float>(x[2]) }
              }
            }
            """;

    /** The requests that are answered at the same time. */
    private static final int REQUESTS_MAX = 64;

    @TempDir Path data;

    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        Path access = Files.writeString(data.resolve("access"), ACCESS);
        served =
                new ServedPackage(
                        TestSettings.onAnyPorts(data.resolve("server"))
                                .withAccess(AccessControl.of(access)),
                        Map.of("schemas/mail.sd", SCHEMA));
        deploy("<search/>" + handler());
        put("ann/1", "Boat");
        put("ann/2", "Lunch");
        put("bob/1", "Boat of Bob");
    }

    /** Returns the handler as the page declares it. */
    private static String handler() throws IOException {
        Matcher part =
                Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL)
                        .matcher(PageCommands.page("mcp.md"));
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private void deploy(String elements) throws Exception {
        served.add(
                "services.xml",
                NotesApplication.SERVICES
                        .replace("\"note\"", "\"mail\"")
                        .replace("<search/>", elements)
                        .getBytes(UTF_8));
        ServedPackage.Answer deployed = served.deployment("Authorization", "Bearer admin");
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
    }

    private void put(String path, String subject) throws Exception {
        ServedPackage.Answer answer =
                served.post(
                        "/document/v1/mail/mail/group/" + path,
                        "{\"fields\":{\"subject\":\"" + subject + "\"}}",
                        "Authorization",
                        "Bearer admin");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private McpSyncClient client(String token) {
        McpSyncClient client = unconnected(token);
        client.initialize();
        return client;
    }

    private McpSyncClient unconnected(String token) {
        var transport =
                HttpClientStreamableHttpTransport.builder(served.container("/").toString())
                        .endpoint("/mcp")
                        .requestBuilder(
                                HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                        .build();
        return McpClient.sync(transport)
                .jsonSchemaValidator((_, _) -> JsonSchemaValidator.ValidationResponse.asValid(""))
                .requestTimeout(Duration.ofMinutes(1))
                .build();
    }

    private static String text(McpSchema.CallToolResult result) {
        return ((McpSchema.TextContent) result.content().getFirst()).text();
    }

    private static McpSchema.CallToolResult call(
            McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static JsonNode json(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = call(client, tool, arguments);
        assertThat(result.isError()).as(text(result)).isFalse();
        return Http.JSON.readTree(text(result));
    }

    @Test
    void aClientFindsAndCallsTheTools() {
        try (McpSyncClient client = client("admin")) {
            assertThat(client.getServerInfo().name()).isEqualTo("crabro");
            assertThat(client.listTools().tools().stream().map(McpSchema.Tool::name))
                    .containsExactlyInAnyOrder("search", "get", "visit", "describe");

            assertThat(
                            json(
                                            client,
                                            "search",
                                            Map.of(
                                                    "query",
                                                    "boat",
                                                    "group",
                                                    "ann",
                                                    "parameters",
                                                    Map.of("timeout", "60s")))
                                    .path("root")
                                    .at("/children/0/fields/subject")
                                    .asString())
                    .isEqualTo("Boat");
            assertThat(
                            json(client, "get", Map.of("id", "id:mail:mail:g=ann:2"))
                                    .at("/fields/subject")
                                    .asString())
                    .isEqualTo("Lunch");
            JsonNode first = json(client, "visit", Map.of("group", "ann", "count", 1));
            assertThat(first.path("documents")).hasSize(1);
            JsonNode second =
                    json(
                            client,
                            "visit",
                            Map.of(
                                    "group",
                                    "ann",
                                    "continuation",
                                    first.path("continuation").asString()));
            assertThat(second.path("documents")).hasSize(1);
            assertThat(
                            json(
                                            client,
                                            "visit",
                                            Map.of(
                                                    "type",
                                                    "mail",
                                                    "selection",
                                                    "mail.subject == \"Boat of Bob\""))
                                    .at("/documents/0/id")
                                    .asString())
                    .isEqualTo("id:mail:mail:g=bob:1");
            JsonNode described = json(client, "describe", Map.of());
            assertThat(described.at("/types/0/fields/0").toString())
                    .isEqualTo(
                            "{\"name\":\"subject\",\"type\":\"string\",\"searchable\":true,\"attribute\":false}");
            assertThat(described.toString())
                    .contains(
                            "{\"name\":\"near\",\"inputs\":{\"query(q)\":\"tensor<float>(x[2])\"}}");
        }
    }

    @Test
    void aCallerReadsOnlyItsGroups() {
        try (McpSyncClient client = client("ann")) {
            assertThat(
                            json(client, "search", Map.of("query", "boat", "group", "ann"))
                                    .path("root")
                                    .at("/fields/totalCount")
                                    .asInt())
                    .isEqualTo(1);
            // A search without a group searches those of the caller.
            assertThat(text(call(client, "search", Map.of("query", "boat"))))
                    .contains("\"totalCount\":1")
                    .doesNotContain("Boat of Bob");
            for (McpSchema.CallToolResult refused :
                    List.of(
                            call(client, "search", Map.of("query", "boat", "group", "bob")),
                            call(client, "get", Map.of("id", "id:mail:mail:g=bob:1")),
                            call(client, "visit", Map.of("group", "bob")),
                            call(client, "visit", Map.of("type", "mail")))) {
                assertThat(refused.isError()).as(text(refused)).isTrue();
                assertThat(text(refused)).contains("status 403").doesNotContain("Boat of Bob");
            }
        }
    }

    /** A text that closes a parenthesis could read other groups than the named one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "true) or (true",
                "true) or not (false",
                "true) or id.group == \"bob\" or (true",
                "true or",
                ") or (",
                "true)",
                "(true",
                "mail.subject == \"x\") or (\"a\" == \"a\"",
                "mail.subject == \"",
                "true) or mail.year > 0 or (true"
            })
    void noSelectionLeavesTheNamedGroup(String selection) {
        try (McpSyncClient client = client("admin")) {
            for (Map<String, Object> arguments :
                    List.<Map<String, Object>>of(
                            Map.of("group", "ann", "selection", selection),
                            Map.of("type", "mail", "group", "ann", "selection", selection),
                            Map.of("group", selection),
                            Map.of("type", selection, "group", "ann"))) {
                McpSchema.CallToolResult result = call(client, "visit", arguments);

                assertThat(text(result)).as(arguments.toString()).doesNotContain("Boat of Bob");
            }
            assertThat(text(call(client, "visit", Map.of("group", "ann", "selection", selection))))
                    .startsWith("selection: Expected ");
        }
    }

    @Test
    void aSelectionWithAlternativesIsOneCondition() {
        try (McpSyncClient client = client("admin")) {
            JsonNode answer =
                    json(
                            client,
                            "visit",
                            Map.of(
                                    "type",
                                    "mail",
                                    "group",
                                    "ann",
                                    "selection",
                                    "mail.subject == \"Boat of Bob\" or true or (mail.subject == \") or (\")"));

            assertThat(answer.path("documents")).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    presentation.summary | short | select * from mail where true
                    hits                 | 10    | select subject from mail where true
                    ranking              | near  | select year from mail where true
                    """)
    void getOpensEachHit(String parameter, String value, String yql) {
        try (McpSyncClient client = client("ann")) {
            JsonNode hits =
                    json(
                                    client,
                                    "search",
                                    Map.of(
                                            "yql",
                                            yql,
                                            "group",
                                            "ann",
                                            "parameters",
                                            Map.of(parameter, value)))
                            .path("root")
                            .path("children");

            assertThat(hits).hasSize(2);
            for (JsonNode hit : hits) {
                String id = hit.path("id").asString();
                assertThat(json(client, "get", Map.of("id", id)).path("id").asString())
                        .isEqualTo(id);
            }
        }
    }

    @Test
    void messagesNameTheArguments() {
        try (McpSyncClient admin = client("admin");
                McpSyncClient ann = client("ann")) {
            for (McpSchema.CallToolResult refused :
                    List.of(
                            call(admin, "search", Map.of("query", "boat")),
                            call(
                                    admin,
                                    "search",
                                    Map.of(
                                            "query",
                                            "boat",
                                            "group",
                                            "ann",
                                            "parameters",
                                            Map.of("streaming.selection", "true"))),
                            call(ann, "visit", Map.of("type", "mail")))) {
                assertThat(refused.isError()).isTrue();
                assertThat(text(refused))
                        .contains("the argument 'group'")
                        .doesNotContain("streaming.groupname ");
            }
            assertThat(text(call(admin, "visit", Map.of("type", "mial"))))
                    .isEqualTo(
                            "type: there is no document type 'mial'; expected one of mail; did you mean 'mail'?");
            assertThat(text(call(admin, "visit", Map.of("cluster", "other"))))
                    .isEqualTo(
                            "cluster: there is no content cluster 'other'; expected one of notes");
        }
    }

    @Test
    void visitSaysWhichOrderItHas() {
        try (McpSyncClient client = client("admin")) {
            McpSchema.Tool visit =
                    client.listTools().tools().stream()
                            .filter(tool -> tool.name().equals("visit"))
                            .findFirst()
                            .orElseThrow();

            assertThat(visit.description())
                    .contains(
                            "the documents of a group are together, but neither groups nor documents are sorted");
        }
    }

    @Test
    void theClientShowsTheErrorOfAWrongCall() {
        try (McpSyncClient client = client("admin")) {
            assertThatExceptionOfType(McpError.class)
                    .isThrownBy(() -> call(client, "serch", Map.of()))
                    .withMessageContaining("there is no tool 'serch'")
                    .satisfies(e ->
                            assertThat(e.getJsonRpcError().code())
                                    .isEqualTo(McpSchema.ErrorCodes.INVALID_PARAMS));
        }
    }

    @Test
    void theClientShowsThatItSendsTooManyRequests() {
        try (McpSyncClient client = client("eager")) {
            // The client opens a stream at some time, which is a request too.
            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() ->
                            assertThatExceptionOfType(McpError.class)
                                    .isThrownBy(() -> call(client, "describe", Map.of()))
                                    .withMessageContaining(
                                            "'eager' sends more requests than the access file allows"));
        }
    }

    /** One request fits in about 1,000 s. */
    @Test
    void aRefusedSenderLearnsItsOwnTimeToRetry() throws Exception {
        for (String target :
                List.of("/search/?query=a&format=sse", "/search/?query=a", "/document/v1/")) {
            ServedPackage.Answer answer;
            do {
                answer = served.get(target, "Authorization", "Bearer eager");
            } while (answer.status() != 429);
            assertThat(Integer.parseInt(answer.header("Retry-After"))).isGreaterThan(1);
        }
    }

    @Test
    void theClientShowsThatTheServerIsFull() throws Exception {
        var bodies = new ArrayList<Socket>();
        try (McpSyncClient client = client("admin")) {
            for (int i = 0; i < REQUESTS_MAX; i++) {
                bodies.add(
                        served.open(
                                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer admin\r\nContent-Length: 100\r\n\r\n{"));
            }

            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() ->
                            assertThatExceptionOfType(McpError.class)
                                    .isThrownBy(() -> call(client, "describe", Map.of()))
                                    .withMessageContaining(
                                            "64 requests of the Model Context Protocol are in progress already"));
        } finally {
            for (Socket body : bodies) {
                body.close();
            }
        }
    }

    @Test
    void theClientShowsThatNothingIsDeployed(@TempDir Path other) throws Exception {
        served.close();
        served = new ServedPackage(TestSettings.onAnyPorts(other), Map.of());

        assertThatThrownBy(() -> unconnected("admin").initialize())
                .hasStackTraceContaining("no application is deployed");
    }

    @Test
    void wrongArgumentsAreErrorsOfTheTool() {
        try (McpSyncClient client = client("admin")) {
            assertThat(text(call(client, "search", Map.of("qery", "boat"))))
                    .isEqualTo(
                            "unknown argument 'qery'; expected one of group, hits, offset, parameters, query, ranking, yql; did you mean 'query'?");
            assertThat(text(call(client, "get", Map.of())))
                    .isEqualTo("the argument 'id' is required");
            assertThat(text(call(client, "get", Map.of("id", "nonsense")))).startsWith("id: ");
            assertThat(text(call(client, "visit", Map.of("count", 0))))
                    .isEqualTo("count: expected 1 to 1,000, but found 0");
            assertThat(text(call(client, "search", Map.of("query", 5))))
                    .isEqualTo("query: expected a string, but found '5'");
            McpSchema.CallToolResult missing =
                    call(client, "get", Map.of("id", "id:mail:mail:g=ann:9"));
            assertThat(missing.isError()).isTrue();
            assertThat(text(missing)).startsWith("status 404");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST   | admin  | {"jsonrpc":"2.0","id":1,"method":"ping"}               | 200 | {"jsonrpc":"2.0","id":1,"result":{}}
                    POST   | ann    | {"jsonrpc":"2.0","id":1,"method":"ping"}               | 200 | {"jsonrpc":"2.0","id":1,"result":{}}
                    POST   | writer | {"jsonrpc":"2.0","id":1,"method":"ping"}               | 403 | read
                    POST   | nobody | {"jsonrpc":"2.0","id":1,"method":"ping"}               | 401 | message
                    POST   | admin  | {"jsonrpc":"2.0","method":"notifications/initialized"} | 202 | ''
                    POST   | admin  | {"jsonrpc":"2.0","id":1,"method":"nonsense"}           | 200 | "error"
                    POST   | admin  | nonsense                                               | 400 | "code":-32700
                    POST   | admin  | [1]                                                    | 200 | "code":-32600
                    POST   | admin  | {"jsonrpc":"2.0","id":1,"method":"tools/call"}         | 200 | "code":-32602
                    GET    | admin  | ''                                                     | 405 | expected POST but found GET
                    DELETE | admin  | ''                                                     | 405 | expected POST but found DELETE
                    """)
    void answersWithTheRightStatus(
            String method, String token, String body, int status, String answer) throws Exception {
        ServedPackage.Answer visited =
                served.send(
                        method,
                        "/mcp/",
                        body,
                        "Content-Type",
                        "application/json",
                        "Authorization",
                        "Bearer " + token);

        assertThat(visited.status()).as(visited.toString()).isEqualTo(status);
        assertThat(visited.body()).contains(answer);
    }

    @Test
    void rejectsLargeBodiesAndUnknownVersions() throws Exception {
        String large = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "x".repeat(1 << 20) + "\"}";
        assertThat(served.post("/mcp", large, "Authorization", "Bearer admin").status())
                .isEqualTo(413);
        ServedPackage.Answer unknown =
                served.post(
                        "/mcp",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                        "Authorization",
                        "Bearer admin",
                        "MCP-Protocol-Version",
                        "1999-01-01");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.message()).contains("2025-11-25", "1999-01-01");
    }

    @Test
    void aPackageWithoutTheHandlerHasNoTools() throws Exception {
        deploy("<search/>");

        assertThat(served.post("/mcp", "{}", "Authorization", "Bearer admin").status())
                .isEqualTo(404);
    }
}
