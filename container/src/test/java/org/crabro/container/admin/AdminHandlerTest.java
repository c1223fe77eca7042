package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.application.RemoteFiles;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.reindex.ReindexRegister;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Talks HTTP to the handler in memory: no port is opened. */
class AdminHandlerTest {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final String APPLICATION =
            "/application/v2/tenant/default/application/default/environment/prod/region/default"
                    + "/instance/default";
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final int LIMIT = 20_000;

    @TempDir Path directory;
    @TempDir Path state;
    private final RecordedActivation activation = new RecordedActivation();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private ReindexRegister register;

    @BeforeEach
    void start() throws Exception {
        var clock = InstantSource.fixed(Instant.ofEpochMilli(5));
        register = ReindexRegister.open(state.resolve("reindexing"), clock);
        var deployments =
                new Deployments(
                        PackageStore.open(directory),
                        RemoteFiles.NONE,
                        new DeployLimits(
                                PackageLimits.DEFAULT,
                                SessionLimits.DEFAULT,
                                Duration.ofSeconds(10),
                                Duration.ZERO),
                        activation,
                        register,
                        clock);
        server.addConnector(connector);
        server.setHandler(
                new Handler.Sequence(
                        new AdminHandler(deployments, register, LIMIT, new LogRing("h", 7), clock),
                        new NotFoundHandler()));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void deploysAZip() throws Exception {
        HttpTester.Response reply = deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        assertThat(reply.getStatus()).isEqualTo(200);
        assertThat(reply.getContent())
                .isEqualTo(
                        "{\"log\":[],\"tenant\":\"default\",\"session-id\":\"1\",\"url\":\"http://h:19071"
                                + APPLICATION
                                + "\",\"message\":\"Session 1 for tenant 'default' prepared and"
                                + " activated.\",\"activated\":true,\"configChangeActions\":"
                                + "{\"restart\":[],\"refeed\":[],\"reindex\":[]}}");
        assertThat(activation.models).hasSize(1);
        assertThat(activation.models.getFirst().schemas()).containsOnlyKeys("note");
        assertThat(activation.models.getFirst().generation()).isEqualTo(1);
    }

    @Test
    void deploysChunkedBodiesAndTarArchives() throws Exception {
        byte[] zip = Packages.zip(Packages.files(TEXT));
        byte[] tar = Packages.tarGzip(Packages.files(TEXT));

        HttpTester.Response chunked = chunked("application/zip", zip);
        HttpTester.Response tarred = deploy("application/x-gzip", tar);
        HttpTester.Response other = deploy("application/gzip; charset=UTF-8", tar);

        assertThat(chunked.getContent()).contains("\"session-id\":\"1\"");
        assertThat(tarred.getContent()).contains("\"session-id\":\"2\"");
        assertThat(other.getContent()).contains("\"session-id\":\"3\"");
    }

    @Test
    void returnsTheActiveApplication() throws Exception {
        HttpTester.Response before = get(APPLICATION);
        HttpTester.Response notConverged = get(APPLICATION + "/serviceconverge");
        HttpTester.Response none = get("/application/v2/tenant/default/application/");

        deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        assertThat(before.getStatus()).isEqualTo(404);
        assertThat(before.getContent())
                .isEqualTo(
                        "{\"error-code\":\"NOT_FOUND\",\"message\":\"no application is deployed:"
                                + " post a package to"
                                + " /application/v2/tenant/default/prepareandactivate\"}");
        assertThat(notConverged.getStatus()).isEqualTo(404);
        assertThat(none.getContent()).isEqualTo("[]");
        assertThat(get(APPLICATION).getContent())
                .isEqualTo(
                        "{\"generation\":1,\"applicationPackageFileReference\":\"generation-1\","
                                + "\"modelVersions\":[\"8.763\"]}");
        assertThat(get("/application/v2/tenant/default/application/default").getStatus())
                .isEqualTo(200);
        assertThat(get(APPLICATION + "/serviceconverge?timeout=5").getContent())
                .isEqualTo(
                        "{\"services\":[{\"host\":\"127.0.0.1\",\"port\":8080,\"type\":\"container\","
                                + "\"clusterName\":\"default\",\"url\":\"http://h:19071"
                                + APPLICATION
                                + "/serviceconverge/127.0.0.1:8080\",\"currentGeneration\":1}],"
                                + "\"url\":\"http://h:19071"
                                + APPLICATION
                                + "/serviceconverge\",\"currentGeneration\":1,"
                                + "\"wantedGeneration\":1,\"converged\":true}");
        assertThat(get("/application/v2/tenant/default/application/").getContent())
                .isEqualTo("[\"http://h:19071" + APPLICATION + "\"]");
    }

    @Test
    void returnsWarningsAndOnRequestMore() throws Exception {
        Map<String, String> files =
                Packages.files("field text type string[] { indexing: index | summary }");
        files.put("hosts.xml", "<hosts/>");

        HttpTester.Response quiet = deploy("application/zip", Packages.zip(files));
        HttpTester.Response verbose =
                request("POST", DEPLOY + "?verbose=true", "application/zip", Packages.zip(files));

        assertThat(quiet.getContent())
                .startsWith(
                        "{\"log\":[{\"time\":5,\"level\":\"WARNING\",\"message\":"
                                + "\"schemas/note.sd:3:21: T[] is an old form: write"
                                + " array<string>\",\"applicationPackage\":true}],");
        assertThat(verbose.getContent())
                .startsWith(
                        "{\"log\":[{\"time\":5,\"level\":\"INFO\",\"message\":\"hosts.xml: one"
                                + " process does all of it for now\",\"applicationPackage\":true},");
    }

    @Test
    void checksOnlyWhereThatIsAsked() throws Exception {
        HttpTester.Response reply =
                request(
                        "POST",
                        DEPLOY + "?dryRun=true",
                        "application/zip",
                        Packages.zip(Packages.files(TEXT)));

        assertThat(reply.getContent())
                .contains("\"message\":\"Session 1 for tenant 'default' checked.\"")
                .contains("\"activated\":false");
        assertThat(activation.models).isEmpty();
        assertThat(get(APPLICATION).getStatus()).isEqualTo(404);
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void reportsEveryProblemAndKeepsTheOldApplication() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        HttpTester.Response reply =
                deploy(
                        "application/zip",
                        Packages.zip(Packages.files("field a typ int {}", "field b type it {}")));

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent())
                .isEqualTo(
                        "{\"error-code\":\"INVALID_APPLICATION_PACKAGE\",\"message\":"
                                + "\"Invalid application: schemas/note.sd:3:13: expected 'type' but"
                                + " found 'typ'\\n      field a typ int {}\\n              ^\"}");
        assertThat(get(APPLICATION).getContent()).contains("\"generation\":1");
        assertThat(activation.models).hasSize(1);
        assertThat(filesLeft()).containsExactlyInAnyOrder("1", "active");
    }

    @Test
    void refusesTypesThatStoredDocumentsDoNotHave() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files("field a type int {}")));

        HttpTester.Response reply =
                deploy("application/zip", Packages.zip(Packages.files("field a type long {}")));
        HttpTester.Response live =
                deploy("application/zip", Packages.zip(Packages.files("field b type long {}")));

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent())
                .contains("field-type-change", "field 'a' changed: type int to long");
        assertThat(live.getStatus()).isEqualTo(200);
    }

    @Test
    void reportsWhatMustBeReindexed() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));
        Map<String, String> files = Packages.files(TEXT);
        files.computeIfPresent(
                "schemas/note.sd",
                (_, text) ->
                        text.replaceFirst(
                                "\\n}\\s*$",
                                "\n"
                                        + "  field copy type string { indexing: input text | index"
                                        + " }\n"
                                        + "}\n"));

        HttpTester.Response reply = deploy("application/zip", Packages.zip(files));

        assertThat(reply.getContent())
                .endsWith(
                        "\"reindex\":[{\"name\":\"indexing-change\",\"documentType\":\"note\","
                                + "\"clusterName\":\"store\",\"messages\":[\"Document type 'note':"
                                + " field 'copy' added\"],\"services\":[]}]}}");
        assertThat(get(APPLICATION + "/reindexing").getContent())
                .contains("\"pending\":{}", "\"state\":\"pending\"")
                .endsWith(
                        "\"cause\":\"generation 2: Document type 'note': field 'copy'"
                                + " added\"}}}}}");
    }

    @Test
    void reindexesNothingAfterADeploymentThatWasNotServed() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));
        Map<String, String> files = Packages.files(TEXT);
        files.computeIfPresent(
                "schemas/note.sd",
                (_, text) ->
                        text.replaceFirst(
                                "\\n}\\s*$",
                                "\n"
                                        + "  field copy type string { indexing: input text | index"
                                        + " }\n"
                                        + "}\n"));
        activation.reply =
                () -> {
                    // Noted before, so that it is not forgotten where the process ends now.
                    assertThat(register.types().values())
                            .singleElement()
                            .satisfies(type -> assertThat(type.pending()).isPresent());
                    return new ModelActivation.Reply.Refused("no");
                };

        assertThat(deploy("application/zip", Packages.zip(files)).getStatus()).isEqualTo(400);

        assertThat(get(APPLICATION + "/reindexing").getContent())
                .endsWith("{\"pending\":{},\"ready\":{}}}}");
    }

    @Test
    void keepsTheOldApplicationWhereTheNewOneCannotBeServed() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));
        activation.reply = () -> new ModelActivation.Reply.Refused("component 'e': no model");
        HttpTester.Response refused = deploy("application/zip", Packages.zip(Packages.files(TEXT)));
        activation.reply =
                () -> {
                    throw new IllegalStateException("a bug of ours");
                };
        HttpTester.Response failed = deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        assertThat(refused.getStatus()).isEqualTo(400);
        assertThat(refused.getContent()).contains("Invalid application: component 'e': no model");
        assertThat(failed.getStatus()).isEqualTo(500);
        assertThat(failed.getContent())
                .startsWith("{\"error-code\":\"INTERNAL_SERVER_ERROR\"")
                .doesNotContain("a bug of ours");
        assertThat(get(APPLICATION).getContent()).contains("\"generation\":1");
        assertThat(filesLeft()).containsExactlyInAnyOrder("1", "active");
    }

    @Test
    void deploysOneAtATime() throws Exception {
        var entered = new CountDownLatch(1);
        var mayLeave = new CountDownLatch(1);
        activation.reply =
                () -> {
                    entered.countDown();
                    try {
                        mayLeave.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return new ModelActivation.Reply.Activated();
                };
        byte[] zip = Packages.zip(Packages.files(TEXT));
        var first =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return deploy("application/zip", zip);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        entered.await();

        HttpTester.Response second = deploy("application/zip", zip);
        mayLeave.countDown();

        assertThat(second.getStatus()).isEqualTo(409);
        assertThat(second.getContent())
                .isEqualTo(
                        "{\"error-code\":\"APPLICATION_LOCK_FAILURE\",\"message\":\"another"
                                + " deployment was under way for 0 seconds; try again\"}");
        assertThat(first.join().getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    ''                    => expected Content-Type application/zip, application/x-gzip or application/gzip, but found none, or multipart/form-data with such a part
                    text/plain            => expected Content-Type application/zip, application/x-gzip or application/gzip, but found 'text/plain', or multipart/form-data with such a part
                    """)
    void refusesOtherContentTypes(String type, String message) throws Exception {
        HttpTester.Response reply = deploy(type, new byte[] {1});

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent())
                .isEqualTo("{\"error-code\":\"BAD_REQUEST\",\"message\":\"" + message + "\"}");
    }

    @Test
    void refusesBrokenArchives() throws Exception {
        byte[] zip = Packages.zip(Packages.files(TEXT));

        for (byte[] broken :
                new byte[][] {new byte[0], {1, 2, 3}, Arrays.copyOf(zip, zip.length / 2)}) {
            HttpTester.Response reply = deploy("application/zip", broken);

            assertThat(reply.getStatus()).isEqualTo(400);
            assertThat(reply.getContent())
                    .startsWith(
                            "{\"error-code\":\"INVALID_APPLICATION_PACKAGE\",\"message\":\"Invalid"
                                    + " application: the zip archive is broken: ");
        }
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void refusesPackagesThatAreTooLarge() throws Exception {
        byte[] large = new byte[LIMIT + 1];

        assertThat(deploy("application/zip", large).getStatus()).isEqualTo(413);
        assertThat(chunked("application/zip", large).getContent())
                .isEqualTo(
                        "{\"error-code\":\"REQUEST_TOO_LARGE\",\"message\":\"the package is larger"
                                + " than the limit of 20,000 bytes\"}");
        assertThat(filesLeft()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    GET /application/v2/tenant/default/prepareandactivate => 405 METHOD_NOT_ALLOWED GET is not allowed at /application/v2/tenant/default/prepareandactivate, only POST
                    POST /application/v2/tenant/default/session/3/prepared => 405 METHOD_NOT_ALLOWED POST is not allowed at /application/v2/tenant/default/session/3/prepared, only PUT, GET
                    GET /application/v2/tenant/default/session/x/active => 404 NOT_FOUND 'x' is no number of a session
                    GET /application/v2/tenant/default/session/3 => 404 NOT_FOUND nothing is served at /application/v2/tenant/default/session/3
                    GET /application/v2/tenant/other/ => 404 NOT_FOUND there is no tenant 'other'
                    GET /application/v2/tenant/default/application/other => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/c => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    GET /application/v2/tenant/default/application/a%20b => 404 NOT_FOUND there is no application 'a b.default'
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/content/schemas/ => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/serviceconverge/h:1 => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    DELETE /application/v2/tenant/default/application/default => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    PUT /application/v2/tenant/default/application/default => 405 METHOD_NOT_ALLOWED PUT is not allowed at /application/v2/tenant/default/application/default, only GET, DELETE
                    POST /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/restart => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/restart => 405 METHOD_NOT_ALLOWED GET is not allowed at /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/restart, only POST
                    POST /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/reindex?clusterId=c => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/reindexing => 404 NOT_FOUND no application is deployed: post a package to /application/v2/tenant/default/prepareandactivate
                    POST /application/v2/tenant/default/prepareandactivate?timeout=soon => 400 BAD_REQUEST timeout: expected seconds, as in 30, but found 'soon'
                    PUT /application/v2/tenant/default/session/3/active?timeout=-1 => 400 BAD_REQUEST timeout: expected seconds, as in 30, but found '-1'
                    POST /application/v2/tenant/default/prepareandactivate?vespaVersion=9.1 => 400 UNKNOWN_VESPA_VERSION vespaVersion: expected a version up to 8.763, but found '9.1'
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/metrics/deployment => 404 NOT_FOUND metrics are served at the ports of containers, at /metrics/v2/values and /prometheus/v1/values
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/filedistributionstatus => 404 NOT_FOUND files are not distributed: one process holds the package
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/quota => 404 NOT_FOUND there are no quotas
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/service/container/h/state/v1/health => 404 NOT_FOUND a service answers at its own port, as in /state/v1/health
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/logs?from=x => 400 BAD_REQUEST from and to: expected milliseconds since 1970, such as 1767225600000
                    POST /application/v2/tenant/default => 405 METHOD_NOT_ALLOWED POST is not allowed at /application/v2/tenant/default, only GET, PUT, DELETE
                    PUT /application/v2/tenant/default => 400 BAD_REQUEST the tenant 'default' is there already
                    PUT /application/v2/tenant/a%20b => 400 BAD_REQUEST tenant: expected a name of 1 to 64 letters, digits, '_' and '-', but found 'a b'
                    DELETE /application/v2/tenant/default => 400 BAD_REQUEST the tenant 'default' cannot be deleted
                    DELETE /application/v2/tenant/other => 404 NOT_FOUND there is no tenant 'other'
                    GET /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/other => 404 NOT_FOUND nothing is served at /application/v2/tenant/default/application/default/environment/a/region/b/instance/default/other
                    GET /application/v2/host/h => 404 NOT_FOUND no application is served by a host 'h'
                    GET /application/v2/host/ => 404 NOT_FOUND nothing is served at /application/v2/host/
                    GET /application/v2/ => 404 NOT_FOUND nothing is served at /application/v2/
                    POST /application/v2/tenant/default/prepareandactivate?applicationName=a.b => 400 BAD_REQUEST applicationName: expected a name of 1 to 64 letters, digits, '_' and '-', but found 'a.b'
                    """)
    void answersWhatIsNotThere(String request, String answer) throws Exception {
        String[] words = request.split(" ", 2);
        HttpTester.Response reply = request(words[0], words[1], "application/zip", new byte[0]);

        String[] parts = answer.split(" ", 3);
        assertThat(reply.getStatus()).isEqualTo(Integer.parseInt(parts[0]));
        assertThat(reply.getContent())
                .isEqualTo(
                        "{\"error-code\":\"%s\",\"message\":\"%s\"}".formatted(parts[1], parts[2]));
    }

    @Test
    void reportsThatReindexingIsOffAndSwitchesIt() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        assertThat(get(APPLICATION + "/reindexing").getContent())
                .isEqualTo(
                        "{\"enabled\":true,\"clusters\":{\"store\":{\"pending\":{},\"ready\":{}}}}");
        assertThat(answer("DELETE", APPLICATION + "/reindexing"))
                .isEqualTo(
                        "{\"message\":\"Reindexing of application 'default.default' is"
                                + " disabled.\"}");
        assertThat(get(APPLICATION + "/reindexing").getContent()).startsWith("{\"enabled\":false,");
        assertThat(answer("POST", APPLICATION + "/reindexing"))
                .isEqualTo(
                        "{\"message\":\"Reindexing of application 'default.default' is"
                                + " enabled.\"}");
        assertThat(register.isEnabled()).isTrue();
    }

    @Test
    void hasDocumentsReindexed() throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        assertThat(answer("PUT", APPLICATION + "/reindex?speed=3"))
                .contains("No document type of application 'default.default' was ever reindexed.");
        assertThat(
                        answer(
                                "POST",
                                APPLICATION
                                        + "/reindex?clusterId=store&documentType=note&speed=0.5&cause=a+model"))
                .isEqualTo(
                        "{\"message\":\"Reindexing document types [note] in 'store' of application"
                                + " 'default.default'.\"}");
        assertThat(get(APPLICATION + "/reindexing").getContent())
                .isEqualTo(
                        "{\"enabled\":true,\"clusters\":{\"store\":{\"pending\":{},\"ready\":{\"note\":{"
                                + "\"readyMillis\":5,\"state\":\"pending\",\"message\":\"\",\"progress\":0.0,\"speed\":0.5,\"cause\":\"a"
                                + " model\"}}}}}");
        assertThat(answer("PUT", APPLICATION + "/reindex?speed=10"))
                .isEqualTo(
                        "{\"message\":\"Set the speed of reindexing document types [note] in"
                                + " 'store' of application 'default.default' to 10.0.\"}");
        assertThat(get(APPLICATION + "/reindexing").getContent()).contains("\"speed\":10.0");
        assertThat(answer("POST", APPLICATION + "/reindex?indexedOnly=true"))
                .contains("No document type of application 'default.default' is reindexed.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST | clusterId=other      | clusterId: there is no 'other', only [store]
                    POST | documentType=mail,x  | documentType: there is no 'mail', only [note]
                    POST | speed=11             | speed: expected a number from 0 to 10.0, but found '11'
                    POST | speed=-0.1           | speed: expected a number from 0 to 10.0, but found '-0.1'
                    PUT  | speed=fast           | speed: expected a number from 0 to 10.0, but found 'fast'
                    PUT  | speed=NaN            | speed: expected a number from 0 to 10.0, but found 'NaN'
                    PUT  | clusterId=store      | speed: expected one, as in speed=0.5
                    """)
    void refusesToReindexWhatIsNot(String method, String query, String problem) throws Exception {
        deploy("application/zip", Packages.zip(Packages.files(TEXT)));

        HttpTester.Response reply =
                request(method, APPLICATION + "/reindex?" + query, "", new byte[0]);

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent())
                .isEqualTo("{\"error-code\":\"BAD_REQUEST\",\"message\":\"" + problem + "\"}");
        assertThat(register.types()).isEmpty();
    }

    private String answer(String method, String path) throws Exception {
        return request(method, path, "", new byte[0]).getContent();
    }

    @Test
    void leavesOtherPathsToTheNextHandler() throws Exception {
        assertThat(get("/other").getContent()).contains("nothing is served at /other");
        assertThat(get("/application/v2/tenant/").getContent())
                .isEqualTo("{\"tenants\":[\"default\"]}");
        assertThat(get("/application/v2/tenant/default").getStatus()).isEqualTo(200);
    }

    private List<String> filesLeft() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("last") && !name.equals("history"))
                    .toList();
        }
    }

    private HttpTester.Response get(String path) throws Exception {
        return request("GET", path, "", new byte[0]);
    }

    private HttpTester.Response deploy(String type, byte[] body) throws Exception {
        return request("POST", DEPLOY, type, body);
    }

    private HttpTester.Response request(String method, String path, String type, byte[] body)
            throws Exception {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head(method, path, type, "Content-Length: " + body.length));
        bytes.writeBytes(body);
        return send(bytes);
    }

    private HttpTester.Response chunked(String type, byte[] body) throws Exception {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head("POST", DEPLOY, type, "Transfer-Encoding: chunked"));
        for (int start = 0; start < body.length; start += 100) {
            int length = Math.min(100, body.length - start);
            bytes.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            bytes.write(body, start, length);
            bytes.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        bytes.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return send(bytes);
    }

    private static byte[] head(String method, String path, String type, String length) {
        String contentType = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        return (method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: h:19071\r\nConnection: close\r\n"
                        + contentType
                        + length
                        + "\r\n\r\n")
                .getBytes(ISO_8859_1);
    }

    private HttpTester.Response send(ByteArrayOutputStream bytes) throws Exception {
        return HttpTester.parseResponse(
                connector.getResponse(ByteBuffer.wrap(bytes.toByteArray())));
    }
}
