package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which principal may send which request: every kind of request at both ports. */
class AccessIT {
    private static final String NONE = "";
    private static final String UNKNOWN = "unknown";
    private static final Set<String> EVERYONE =
            Set.of(NONE, UNKNOWN, "reader", "writer", "deployer", "admin");

    private static final String RULES =
            """
            [reader]
            permissions = read
            token = %s
            [writer]
            permissions = write
            token = %s
            [deployer]
            permissions = deploy
            token = %s
            [admin]
            permissions = admin
            token = %s
            """
                    .formatted(
                            TokenHash.of("reader"),
                            TokenHash.of("writer"),
                            TokenHash.of("deployer"),
                            TokenHash.of("admin"));

    private static final Pattern RULES_OF_PAGE =
            Pattern.compile("```ini\n(.*?)```", Pattern.DOTALL);

    /** A command of the page: the address, the token, the body, and the answer. */
    private static final Pattern COMMAND =
            Pattern.compile(
                    "curl -s 'http://127\\.0\\.0\\.1:8080([^']+)'"
                            + "(?: -H 'Authorization: ([^']+)')?(?: -d '([^']+)')?\n```\n\n"
                            + "```json\n(.*?)```",
                    Pattern.DOTALL);

    private static final String PUT = "{\"fields\":{\"text\":\"a\"}}";
    private static final String ONE = "/document/v1/home/note/group/anna/1";
    private static final String DEPLOY = "/application/v2/tenant/default/";
    private static final String APPLICATION =
            DEPLOY + "application/default/environment/default/region/default/instance/default";
    private static final String JSON = "application/json";

    @TempDir static Path directory;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static CrabroServer server;
    private static Path access;

    /** A request and those who may send it. */
    private record Row(String method, String path, String type, String body, Set<String> senders) {
        Row(String method, String path, String... senders) {
            this(method, path, JSON, "", Set.of(senders));
        }
    }

    @BeforeAll
    static void start() throws Exception {
        access = directory.resolve("access");
        Files.writeString(access, RULES);
        server =
                CrabroServer.start(
                        ServerSettings.onAnyPorts(directory.resolve("data"))
                                .withAccess(AccessControl.of(access)));
        HttpResponse<String> deployed =
                CLIENT.send(
                        HttpRequest.newBuilder(
                                        server.config().resolve(DEPLOY + "prepareandactivate"))
                                .header("Content-Type", "application/zip")
                                .header("Authorization", "Bearer deployer")
                                .POST(BodyPublishers.ofByteArray(NotesApplication.zip()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        CLIENT.close();
        server.close();
    }

    @Test
    void thePortOfDocumentsAsksForPermissionToReadOrToWrite() throws Exception {
        String query = "{\"yql\":\"select * from note where true\",\"streaming.groupname\":\"a\"}";
        String line = "{\"put\":\"id:home:note:g=anna:2\",\"fields\":{\"text\":\"b\"}}\n";
        check(
                server.container(),
                new Row("GET", ONE, "reader"),
                new Row("HEAD", "/document/v1/home/note/group/anna", "reader"),
                new Row("GET", "/document/v1/?cluster=notes", "reader"),
                new Row("GET", "/document/v1/home/note/groups", "reader"),
                new Row("GET", "/search/?yql=select+*+from+note+where+true", "reader"),
                new Row("POST", "/search/", JSON, query, Set.of("reader")),
                new Row("OPTIONS", ONE, "reader"),
                new Row("POST", ONE, JSON, PUT, Set.of("writer")),
                new Row(
                        "PUT",
                        ONE,
                        JSON,
                        "{\"fields\":{\"text\":{\"assign\":\"b\"}}}",
                        Set.of("writer")),
                new Row("POST", "/document/v1/", "application/jsonl", line, Set.of("writer")),
                new Row(
                        "DELETE",
                        "/document/v1/home/note/group/anna?cluster=notes&selection=true",
                        "writer"),
                new Row("DELETE", ONE, "writer"),
                new Row("POST", "/nowhere", "writer"),
                new Row("GET", "/nowhere", "reader"),
                new Row("GET", "/metrics/v2/values", "reader", "admin"),
                new Row("GET", "/prometheus/v1/values", "reader", "admin"),
                new Row("GET", "/state/v1/metrics", "reader", "admin"),
                new Row("GET", "/state/v1/metrics/histograms", "reader", "admin"),
                new Row("GET", "/state/v1/config", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/ApplicationStatus", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/state/v1/health", JSON, "", EVERYONE),
                new Row("GET", "/status.html", JSON, "", EVERYONE));
    }

    @Test
    void theConfigPortAsksForPermissionToDeployOrToAdministrate() throws Exception {
        check(
                server.config(),
                new Row("POST", DEPLOY + "prepareandactivate", "deployer"),
                new Row("POST", DEPLOY + "session", "deployer"),
                new Row("PUT", DEPLOY + "session/2/prepared", "deployer"),
                new Row("PUT", DEPLOY + "session/2/active", "deployer"),
                new Row("GET", DEPLOY + "session/2/content/services.xml", "deployer", "admin"),
                new Row("PUT", "/application/v2/tenant/other", "deployer"),
                new Row("DELETE", "/application/v2/tenant/other", "deployer"),
                new Row("GET", "/application/v2/tenant/", "deployer", "admin"),
                new Row("GET", APPLICATION, "deployer", "admin"),
                new Row("GET", APPLICATION + "/serviceconverge", "deployer", "admin"),
                new Row("GET", APPLICATION + "/content/services.xml", "deployer", "admin"),
                new Row("GET", APPLICATION + "/reindexing", "deployer", "admin"),
                new Row("POST", APPLICATION + "/reindex", "admin"),
                new Row("POST", APPLICATION + "/restart", "admin"),
                new Row("GET", APPLICATION + "/logs", "admin"),
                new Row("GET", "/crabro/v1/backup", "admin"),
                new Row("POST", "/crabro/v1/backup", "admin"),
                new Row("GET", "/state/v1/metrics", "reader", "admin"),
                new Row("GET", "/state/v1/config", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/state/v1/health", JSON, "", EVERYONE),
                new Row("GET", "/status.html", JSON, "", EVERYONE),
                new Row(
                        "DELETE",
                        APPLICATION.replace("/application/default", "/application/other"),
                        "deployer"));
    }

    @Test
    void refusalsHaveTheFormOfEachInterface() throws Exception {
        assertThat(send(server.container(), new Row("GET", ONE), NONE).body())
                .isEqualTo(
                        "{\"pathId\":\"%s\",\"message\":\"this needs a token or a certificate with permission read\"}"
                                .formatted(ONE));
        assertThat(send(server.container(), new Row("GET", "/search/?yql=x"), "writer").body())
                .startsWith("{\"root\":")
                .contains("\"code\":15", "'writer' lacks permission read");
        assertThat(send(server.container(), new Row("GET", "/search/?yql=x"), NONE).body())
                .contains("\"code\":401", "permission read");
        assertThat(send(server.config(), new Row("GET", APPLICATION), "reader").body())
                .isEqualTo(
                        "{\"error-code\":\"FORBIDDEN\",\"message\":\"'reader' lacks permission"
                                + " deploy or admin\"}");
        assertThat(send(server.config(), new Row("GET", APPLICATION), NONE).body())
                .contains("\"error-code\":\"UNAUTHORIZED\"");
    }

    @Test
    void linesOfABulkBodyThatReadNeedPermissionToRead() throws Exception {
        send(server.container(), new Row("POST", ONE, JSON, PUT, Set.of()), "writer");

        HttpResponse<String> answer =
                send(
                        server.container(),
                        new Row(
                                "POST",
                                "/document/v1/",
                                "application/jsonl",
                                "{\"get\":\"id:home:note:g=anna:1\"}\n",
                                Set.of()),
                        "writer");

        assertThat(answer.body())
                .contains("\"status\":403", "'writer' lacks permission read")
                .doesNotContain("\"text\"");
    }

    @Test
    @Timeout(60)
    void answersAsThePageSays() throws Exception {
        Path root = Path.of(System.getProperty("crabro.root"));
        String page = Files.readString(root.resolve("docs/security.md"));
        Matcher rules = RULES_OF_PAGE.matcher(page);
        assertThat(rules.find()).isTrue();
        List<MatchResult> commands = COMMAND.matcher(page).results().toList();
        assertThat(commands).hasSize(3);

        Files.writeString(access, RULES + rules.group(1));

        for (MatchResult command : commands) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(server.container().resolve(command.group(1)));
            if (command.group(2) != null) {
                request.header("Authorization", command.group(2));
            }
            if (command.group(3) != null) {
                request.POST(BodyPublishers.ofString(command.group(3)));
            }
            JsonNode expected = Http.JSON.readTree(command.group(4));
            JsonNode answer = answer(request);
            // Until the server has looked at the file, which it does once a second.
            while (!answer.equals(expected) && answer.toString().contains("token is not known")) {
                answer = answer(request);
            }
            assertThat(answer).isEqualTo(expected);
        }
    }

    private static JsonNode answer(HttpRequest.Builder request) throws Exception {
        return Http.JSON.readTree(
                CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString()).body());
    }

    private void check(URI port, Row... rows) throws Exception {
        for (Row row : rows) {
            // Those who may not first: nothing of what they send is carried out.
            for (String sender : EVERYONE) {
                if (!row.senders().contains(sender)) {
                    int expected = List.of(NONE, UNKNOWN).contains(sender) ? 401 : 403;
                    HttpResponse<String> answer = send(port, row, sender);
                    assertThat(answer.statusCode())
                            .as("'%s' sends %s: %s", sender, row, answer.body())
                            .isEqualTo(expected);
                    assertThat(answer.headers().firstValue("WWW-Authenticate").isPresent())
                            .isEqualTo(expected == 401);
                }
            }
            for (String sender : row.senders()) {
                HttpResponse<String> answer = send(port, row, sender);
                assertThat(answer.statusCode())
                        .as("'%s' sends %s: %s", sender, row, answer.body())
                        .isNotIn(401, 403, 500);
            }
        }
    }

    private HttpResponse<String> send(URI port, Row row, String sender) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(port.resolve(row.path()))
                        .header("Content-Type", row.type())
                        .method(
                                row.method(),
                                BodyPublishers.ofString(row.body(), StandardCharsets.UTF_8));
        if (!sender.isEmpty()) {
            request.header("Authorization", "Bearer " + sender);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
