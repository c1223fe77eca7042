package org.crabro.samples.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.cli.BackupCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.GroupCommand;
import org.crabro.client.cli.SettleCommand;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

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
            [both]
            permissions = read, write
            token = %s
            [anna]
            permissions = all
            groups = anna
            token = %s
            """
                    .formatted(
                            TokenHash.of("reader"),
                            TokenHash.of("writer"),
                            TokenHash.of("deployer"),
                            TokenHash.of("admin"),
                            TokenHash.of("both"),
                            TokenHash.of("anna"));

    private static final Pattern RULES_OF_PAGE =
            Pattern.compile("```ini\n(.*?)```", Pattern.DOTALL);

    /** A command of the page: the address, the token, the body, and the answer. */
    private static final Pattern COMMAND =
            Pattern.compile(
                    "curl -s 'http://127\\.0\\.0\\.1:8080([^']+)'"
                            + "(?: -H 'Authorization: ([^']+)')?(?: -d '([^']+)')?\n```\n\n"
                            + "```json\n(.*?)```",
                    Pattern.DOTALL);

    private static final String ALL = "cluster=notes&selection=true";
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

        static Row of(String method, String path, String body) {
            return new Row(method, path, JSON, body, Set.of());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        access = directory.resolve("access");
        Files.writeString(access, RULES);
        server =
                CrabroServer.start(
                        TestSettings.onAnyPorts(directory.resolve("data"))
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
                new Row("GET", "/document/v1/home/note/group/", "reader"),
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
                new Row("POST", "/nowhere", "admin"),
                new Row("GET", "/nowhere", "admin"),
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
                new Row("GET", "/crabro/v1/settle", "admin"),
                new Row("POST", "/crabro/v1/settle", "admin"),
                new Row("GET", "/state/v1/metrics", "reader", "admin"),
                new Row("GET", "/state/v1/config", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/state/v1/health", JSON, "", EVERYONE),
                new Row("GET", "/status.html", JSON, "", EVERYONE),
                new Row("GET", "/console/", JSON, "", EVERYONE),
                new Row("GET", "/console/console.js", JSON, "", EVERYONE),
                new Row("GET", "/console/api/status", "reader", "writer", "deployer", "admin"),
                new Row("GET", "/console/api/schemas", "reader", "deployer", "admin"),
                new Row("GET", "/console/api/metrics", "reader", "admin"),
                new Row("GET", "/console/api/history", "deployer", "admin"),
                new Row("GET", "/console/api/document/v1/?cluster=notes", "reader"),
                new Row("GET", "/console/api" + ONE, "reader"),
                new Row(
                        "POST",
                        "/console/api/search",
                        JSON,
                        "{\"yql\":\"select * from note where true\",\"streaming.groupname\":\"a\"}",
                        Set.of("reader")),
                new Row(
                        "DELETE",
                        APPLICATION.replace("/application/default", "/application/other"),
                        "deployer"));
    }

    @Test
    void aPrincipalTouchesItsGroupsAlone() throws Exception {
        String documents = "/document/v1/home/note/";
        String update = "{\"fields\":{\"text\":{\"assign\":\"changed\"}}}";
        send(server.container(), Row.of("POST", documents + "group/berta/1", PUT), "both");
        send(server.container(), Row.of("POST", documents + "docid/1", PUT), "both");
        String everything = contents(documents + "group/berta/") + contents(documents + "docid/1");

        for (Row own :
                List.of(
                        Row.of("POST", documents + "group/anna/1", PUT),
                        Row.of("PUT", documents + "group/anna/1", update),
                        Row.of("GET", documents + "group/anna/1", ""),
                        Row.of("GET", documents + "group/anna/", ""),
                        Row.of("GET", search("streaming.groupname=anna"), ""),
                        Row.of("GET", search("streaming.groupnames=anna"), ""),
                        Row.of("GET", search("streaming.selection=id.group=='anna'"), ""),
                        Row.of("GET", search("hits=10"), ""),
                        Row.of("DELETE", documents + "group/anna/?" + ALL, ""),
                        Row.of("DELETE", documents + "group/anna/?wholeGroup=true", ""),
                        Row.of("DELETE", documents + "group/anna/1", ""))) {
            assertThat(send(server.container(), own, "anna"))
                    .as(own.toString())
                    .satisfies(answer ->
                            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200));
        }
        for (Row others :
                List.of(
                        Row.of("GET", documents + "group/berta/1", ""),
                        Row.of("POST", documents + "group/berta/1", PUT),
                        Row.of("POST", documents + "group/berta/1?condition=true", PUT),
                        Row.of("PUT", documents + "group/berta/1", update),
                        Row.of("PUT", documents + "group/berta/2?create=true", update),
                        Row.of("DELETE", documents + "group/berta/1", ""),
                        Row.of("GET", documents + "docid/1", ""),
                        Row.of("DELETE", documents + "docid/1", ""),
                        Row.of("GET", documents + "number/7/1", ""),
                        Row.of("GET", documents + "group/berta/", ""),
                        Row.of("GET", documents + "docid/", ""),
                        Row.of("GET", "/document/v1/?cluster=notes", ""),
                        Row.of(
                                "GET",
                                "/document/v1/?cluster=notes&selection=id.group=='berta'",
                                ""),
                        Row.of(
                                "GET",
                                "/document/v1/?cluster=notes&selection=id.group=='anna'+or+true",
                                ""),
                        Row.of("GET", "/document/v1/home/note/group/", ""),
                        Row.of("POST", documents + "group/berta/1?dryRun=true", PUT),
                        Row.of("POST", documents + "group/berta/1?dryRun=validate", PUT),
                        Row.of("PUT", documents + "group/berta/1?dryRun=true", update),
                        Row.of("PUT", documents + "group/berta/1?dryRun=validate", update),
                        Row.of("DELETE", documents + "group/berta/1?dryRun=true", ""),
                        Row.of("DELETE", documents + "group/berta/1?dryRun=validate", ""),
                        Row.of("DELETE", documents + "docid/1?dryRun=true", ""),
                        Row.of("POST", documents + "number/7/1?dryRun=true", PUT),
                        Row.of("DELETE", documents + "group/berta/?" + ALL, ""),
                        Row.of("DELETE", documents + "docid/?" + ALL, ""),
                        Row.of("DELETE", "/document/v1/?" + ALL, ""),
                        Row.of("DELETE", documents + "group/berta/?wholeGroup=true", ""),
                        Row.of(
                                "DELETE",
                                documents + "group/berta/?wholeGroup=true&allNamespaces=true",
                                ""),
                        Row.of("PUT", documents + "group/berta/?" + ALL, update),
                        Row.of("PUT", documents + "docid/?" + ALL, update),
                        Row.of("POST", "/document/v1/?destinationCluster=notes&" + ALL, ""),
                        Row.of("GET", search("streaming.groupname=berta"), ""),
                        Row.of("GET", search("streaming.groupnames=anna,berta"), ""),
                        Row.of("GET", search("streaming.userid=7"), ""),
                        Row.of("GET", search("streaming.selection=id.group=='berta'"), ""),
                        Row.of("GET", search("streaming.selection=true"), ""),
                        Row.of(
                                "GET",
                                search(
                                        "relatedTo.id=id:home:note:g=berta:1&relatedTo.embeddingField=place&relatedTo.queryTensorName=here&ranking=near"),
                                ""))) {
            HttpResponse<String> answer = send(server.container(), others, "anna");
            assertThat(answer.statusCode()).as("%s: %s", others, answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("may not touch");
        }
        for (Row others :
                List.of(
                        Row.of("GET", "/console/api/document/v1/home/note/group/berta/1", ""),
                        Row.of("GET", "/console/api/document/v1/?cluster=notes", ""),
                        Row.of(
                                "POST",
                                "/console/api/search",
                                "{\"yql\":\"select * from note where true\",\"streaming.groupname\":\"berta\"}"))) {
            HttpResponse<String> answer = send(server.config(), others, "anna");
            assertThat(answer.statusCode()).as("%s: %s", others, answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("may not touch");
        }
        for (String path :
                List.of(APPLICATION + "/reindex", "/crabro/v1/backup", "/crabro/v1/settle")) {
            assertThat(send(server.config(), Row.of("POST", path, ""), "anna"))
                    .returns(403, HttpResponse::statusCode);
        }
        for (String path :
                List.of(
                        "/metrics/v1/values",
                        "/metrics/v2/values",
                        "/prometheus/v1/values",
                        "/state/v1/metrics",
                        "/state/v1/metrics/histograms")) {
            HttpResponse<String> answer =
                    send(server.container(), Row.of("GET", path, ""), "anna");
            assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("may not touch all groups");
            HttpResponse<String> config = send(server.config(), Row.of("GET", path, ""), "anna");
            assertThat(config.statusCode())
                    .as("%s: %s", path, config.body())
                    .isEqualTo(path.startsWith("/state/") ? 403 : 404);
        }
        for (String path : List.of("/console/api/metrics", APPLICATION + "/logs")) {
            assertThat(send(server.config(), Row.of("GET", path, ""), "anna"))
                    .returns(403, HttpResponse::statusCode);
        }

        assertThat(contents(documents + "group/berta/") + contents(documents + "docid/1"))
                .isEqualTo(everything)
                .contains("g=berta:1", "note::1");
    }

    @Test
    void linesOfABulkBodyTouchTheGroupsOfTheirSenderAlone() throws Exception {
        String berta = "id:home:note:g=berta:bulk";
        send(
                server.container(),
                Row.of("POST", "/document/v1/home/note/group/berta/bulk", PUT),
                "both");
        String lines =
                """
                {"put":"id:home:note:g=anna:bulk","fields":{"text":"b"}}
                {"put":"BERTA","fields":{"text":"b"}}
                {"put":"BERTA","condition":"true","fields":{"text":"b"}}
                {"update":"BERTA","fields":{"text":{"assign":"b"}}}
                {"remove":"BERTA"}
                {"get":"BERTA"}
                """
                        .replace("BERTA", berta);

        HttpResponse<String> answer =
                send(
                        server.container(),
                        new Row("POST", "/document/v1/", "application/jsonl", lines, Set.of()),
                        "anna");

        assertThat(answer.body()).contains("\"operations\":6,\"ok\":1,\"failed\":5", "\"403\":5");
        assertThat(
                        send(
                                        server.container(),
                                        Row.of(
                                                "GET",
                                                "/document/v1/home/note/group/berta/bulk",
                                                ""),
                                        "both")
                                .body())
                .contains("\"text\":\"a\"");
    }

    @Test
    void aDryRunOfABulkBodyIsRefusedAsItsWritesAre() throws Exception {
        String lines =
                """
                {"put":"id:home:note:g=anna:dry","fields":{"text":"b"}}
                {"put":"id:home:note:g=berta:dry","fields":{"text":"b"}}
                {"put":"id:home:note:g=berta:dry","condition":"true","fields":{"text":"b"}}
                {"update":"id:home:note:g=berta:dry","fields":{"text":{"assign":"b"}}}
                {"remove":"id:home:note:g=berta:dry"}
                {"remove":"id:home:note:g=berta:dry","condition":"true"}
                {"remove":"id:home:note::dry"}
                {"put":"id:home:note:n=7:dry","fields":{"text":"b"}}
                """;
        for (String dryRun : List.of("true", "validate")) {
            HttpResponse<String> answer =
                    send(
                            server.container(),
                            new Row(
                                    "POST",
                                    "/document/v1/?dryRun=" + dryRun,
                                    "application/jsonl",
                                    lines,
                                    Set.of()),
                            "anna");

            assertThat(answer.body())
                    .contains("\"operations\":8,\"ok\":1,\"failed\":7", "\"403\":7");
        }
    }

    /** Clients for feeding connect in this way, whatever the groups of their principal are. */
    @Test
    void theHandshakeOfAFeedClientIsAccepted() throws Exception {
        Row handshake =
                Row.of("POST", "/document/v1/feeder/handshake/docid/dummy?dryRun=true", PUT);
        Row written = Row.of("POST", "/document/v1/feeder/handshake/docid/dummy", PUT);
        Row other = Row.of("POST", "/document/v1/feeder/handshake/docid/other?dryRun=true", PUT);

        assertThat(send(server.container(), handshake, "anna").statusCode()).isEqualTo(200);
        assertThat(send(server.container(), written, "anna").statusCode()).isEqualTo(403);
        assertThat(send(server.container(), other, "anna").statusCode()).isEqualTo(403);
    }

    private static String search(String scope) {
        return "/search/?yql=select+*+from+note+where+true&" + scope;
    }

    private static String contents(String path) throws Exception {
        return send(
                        server.container(),
                        Row.of("GET", path + "?wantedDocumentCount=100", ""),
                        "both")
                .body();
    }

    @Test
    void commandsForOperatorsSendTheirToken() {
        String backup = directory.resolve("backup").toString();

        assertThat(onConfigPort(new SettleCommand(), "reader")).isEqualTo(1);
        assertThat(onConfigPort(new SettleCommand(), "admin")).isZero();
        assertThat(onConfigPort(new BackupCommand(), "reader", "--target", backup)).isEqualTo(1);
        assertThat(onConfigPort(new BackupCommand(), "admin", "--target", backup)).isZero();
    }

    @Test
    void commandsForDocumentsSendTheirToken() throws Exception {
        Path feed = directory.resolve("feed.jsonl");
        Files.writeString(
                feed, "{\"put\":\"id:home:note:g=berta:1\",\"fields\":{\"text\":\"b\"}}\n");
        String export = directory.resolve("export.jsonl").toString();

        assertThat(onDocumentPort(new FeedCommand(), "reader", feed.toString())).isEqualTo(1);
        assertThat(onDocumentPort(new FeedCommand(), "both", feed.toString())).isZero();
        assertThat(onGroups("list", "writer", "home", "note")).isEqualTo(1);
        assertThat(onGroups("list", "both", "home", "note")).isZero();
        assertThat(onGroups("export", "writer", "home", "note", "berta", "--output", export))
                .isEqualTo(1);
        assertThat(onGroups("export", "both", "home", "note", "berta", "--output", export))
                .isZero();
        assertThat(onGroups("delete", "reader", "home", "note", "berta", "--yes")).isEqualTo(1);
        assertThat(onGroups("delete", "both", "home", "note", "berta", "--yes")).isZero();
        assertThat(onGroups("import", "reader", export)).isEqualTo(1);
        assertThat(onGroups("import", "both", export)).isZero();
    }

    private static int onGroups(String command, String token, String... options) {
        var arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(options));
        return onDocumentPort(new GroupCommand(), token, arguments.toArray(String[]::new));
    }

    private static int onDocumentPort(Object command, String token, String... options) {
        return run(command, token, "--target", server.container(), options);
    }

    private static int onConfigPort(Object command, String token, String... options) {
        return run(command, token, "--config", server.config(), options);
    }

    private static int run(
            Object command, String token, String port, URI address, String... options) {
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(port, address.toString(), "--token", token));
        return new CommandLine(command)
                .setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(arguments.toArray(String[]::new));
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
    void answersAsThePageSays() throws Exception {
        Path root = Path.of(System.getProperty("crabro.root"));
        String page = Files.readString(root.resolve("docs/security.md"));
        Matcher rules = RULES_OF_PAGE.matcher(page);
        assertThat(rules.find()).isTrue();
        List<MatchResult> commands = COMMAND.matcher(page).results().toList();
        assertThat(commands).hasSize(3);

        Files.writeString(access, RULES.replace("[anna]", "[confined]") + rules.group(1));

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
            // The server checks once a second whether the file has changed.
            await().atMost(ONE_MINUTE)
                    .untilAsserted(() -> assertThat(answer(request)).isEqualTo(expected));
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

    private static HttpResponse<String> send(URI port, Row row, String sender) throws Exception {
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

    @Test
    void aPrincipalReadsOnlyParentsOfItsGroups() throws Exception {
        Map<String, String> files =
                Map.of(
                        "services.xml",
                        """
                        <services version="1.0">
                          <container id="default" version="1.0"><search/><document-api/></container>
                          <content id="notes" version="1.0">
                            <redundancy>1</redundancy>
                            <documents>
                              <document type="note" mode="streaming"/>
                              <document type="author" mode="streaming"/>
                            </documents>
                          </content>
                        </services>
                        """,
                        "schemas/author.sd",
                        """
                        schema author {
                          document author {
                            field year type int { indexing: attribute }
                          }
                        }
                        """,
                        "schemas/note.sd",
                        """
                        schema note {
                          document note {
                            field author type reference<author> { indexing: attribute }
                          }
                          import field author.year as year {}
                          document-summary default { summary year {} }
                        }
                        """);
        try (CrabroServer other =
                CrabroServer.start(
                        TestSettings.onAnyPorts(directory.resolve("parents"))
                                .withAccess(AccessControl.of(access)))) {
            sent(
                    other.config().resolve(DEPLOY + "prepareandactivate"),
                    "deployer",
                    Http.zip(files));
            for (String group : List.of("anna", "ben")) {
                write(other, "author/group/" + group + "/1", "\"year\":1950");
                write(
                        other,
                        "note/group/anna/by-" + group,
                        "\"author\":\"id:home:author:g=%s:1\"".formatted(group));
            }
            URI query =
                    other.container()
                            .resolve(
                                    "/search/?timeout=60s&streaming.groupname=anna&yql=select+documentid,year+from+note+where+year+%3E+0");

            assertThat(sent(query, "anna", new byte[0]))
                    .contains("\"totalCount\":1", "id:home:note:g=anna:by-anna", "\"year\":1950");
            assertThat(sent(query, "reader", new byte[0]))
                    .contains("\"totalCount\":2", "id:home:note:g=anna:by-ben");
        }
    }

    private static void write(CrabroServer to, String path, String fields) throws Exception {
        sent(
                to.container().resolve("/document/v1/home/" + path),
                "writer",
                ("{\"fields\":{" + fields + "}}").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the answer to a request that may be sent; one without a body is a GET. */
    private static String sent(URI address, String token, byte[] body) throws Exception {
        HttpResponse<String> answer =
                CLIENT.send(
                        HttpRequest.newBuilder(address)
                                .header("Authorization", "Bearer " + token)
                                .header(
                                        "Content-Type",
                                        address.getPath().startsWith(DEPLOY)
                                                ? "application/zip"
                                                : JSON)
                                .method(
                                        body.length == 0 ? "GET" : "POST",
                                        BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }
}
