package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;
import static org.crabro.container.admin.AdminConnection.APPLICATION;
import static org.crabro.container.admin.AdminConnection.SESSION;
import static org.crabro.container.admin.AdminConnection.TENANT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.schema.SchemaField;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Brings packages to where they are served step by step. */
class DeployEndpointTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String URL = "http://h:19071";
    private static final SessionLimits LIMITS = new SessionLimits(3, 5_000, Duration.ofHours(1), 2);

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void open() throws Exception {
        connection = AdminConnection.open(directory, PackageLimits.DEFAULT, LIMITS, 20_000);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    @Test
    void createsPreparesAndActivates() throws Exception {
        HttpTester.Response created = create();
        HttpTester.Response prepared =
                connection.put(SESSION + "/1/prepared?applicationName=default");
        HttpTester.Response again = connection.get(SESSION + "/1/prepared");
        assertThat(connection.activation.models).isEmpty();
        HttpTester.Response active = connection.put(SESSION + "/1/active");

        assertThat(created.getContent())
                .isEqualTo(
                        "{\"log\":[],\"tenant\":\"default\",\"session-id\":\"1\",\"prepared\":\""
                                + URL
                                + SESSION
                                + "/1/prepared\",\"content\":\""
                                + URL
                                + SESSION
                                + "/1/content/\",\"message\":\"Session 1 for tenant 'default'"
                                + " created.\"}");
        assertThat(prepared.getContent())
                .isEqualTo(
                        "{\"log\":[],\"tenant\":\"default\",\"session-id\":\"1\",\"activate\":\""
                                + URL
                                + SESSION
                                + "/1/active\",\"message\":\"Session 1 for tenant 'default'"
                                + " prepared.\",\"configChangeActions\":{\"restart\":[],"
                                + "\"refeed\":[],\"reindex\":[]}}");
        assertThat(again.getContent()).isEqualTo(prepared.getContent());
        assertThat(active.getContent())
                .isEqualTo(
                        "{\"tenant\":\"default\",\"session-id\":\"1\",\"message\":\"Session 1 for"
                                + " tenant 'default' activated.\",\"url\":\""
                                + URL
                                + APPLICATION
                                + "\"}");
        assertThat(connection.activation.models.getLast().generation()).isEqualTo(1);
        assertThat(connection.get(APPLICATION).getContent()).contains("\"generation\":1");
    }

    @Test
    void activatesOnlyTheFirstOfTwoSessionsThatRace() throws Exception {
        create();
        create();
        connection.put(SESSION + "/1/prepared");
        connection.put(SESSION + "/2/prepared");
        var entered = new CountDownLatch(1);
        var mayLeave = new CountDownLatch(1);
        connection.activation.reply =
                () -> {
                    entered.countDown();
                    try {
                        mayLeave.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return new ModelActivation.Reply.Activated();
                };
        var first =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return connection.put(SESSION + "/2/active");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        entered.await();

        HttpTester.Response meanwhile = connection.put(SESSION + "/1/active");
        HttpTester.Response write = connection.put(SESSION + "/1/content/a.txt", "a");
        mayLeave.countDown();

        assertThat(first.join().getStatus()).isEqualTo(200);
        assertError(
                meanwhile,
                409,
                "APPLICATION_LOCK_FAILURE another deployment was under way for 0 seconds; try"
                        + " again");
        assertThat(write.getStatus()).isEqualTo(409);
        assertError(
                connection.put(SESSION + "/1/active"),
                409,
                "ACTIVATION_CONFLICT session 1 cannot be activated: session 2 was activated since"
                        + " it was made");
        assertThat(connection.get(APPLICATION).getContent()).contains("\"generation\":2");
    }

    @Test
    void refusesASessionThatADeploymentOvertook() throws Exception {
        deploy();
        create();
        connection.put(SESSION + "/2/prepared");
        deploy();

        assertThat(connection.put(SESSION + "/2/active").getContent())
                .contains("ACTIVATION_CONFLICT");
        assertThat(connection.put(SESSION + "/2/prepared").getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    GET /session/9/prepared => 404 NOT_FOUND there is no session 9: it was never made, or was not activated in time, or the server started since
                    PUT /session/9/prepared => 404 NOT_FOUND there is no session 9: it was never made, or was not activated in time, or the server started since
                    PUT /session/9/active => 404 NOT_FOUND there is no session 9: it was never made, or was not activated in time, or the server started since
                    GET /session/0/prepared => 404 NOT_FOUND there is no session 0: it was never made, or was not activated in time, or the server started since
                    GET /session/3/prepared => 400 BAD_REQUEST session 3 is not prepared: put .../session/3/prepared first
                    PUT /session/3/active => 400 BAD_REQUEST session 3 is not prepared: put .../session/3/prepared first
                    GET /session/2/prepared => 400 BAD_REQUEST session 2 is active already
                    PUT /session/2/prepared => 400 BAD_REQUEST session 2 is active already
                    PUT /session/2/active => 400 BAD_REQUEST session 2 is active already
                    GET /session/1/prepared => 400 BAD_REQUEST session 1 was active, and was replaced by session 2
                    PUT /session/1/active => 400 BAD_REQUEST session 1 was active, and was replaced by session 2
                    PUT /session/3/prepared?applicationName=other => 409 ACTIVATION_CONFLICT application 'default.default' of tenant 'default' is served here, and only one can be; delete it first
                    PUT /session/3/prepared?instance=a.b => 400 BAD_REQUEST instance: expected a name of 1 to 64 letters, digits, '_' and '-', but found 'a.b'
                    GET /session => 405 METHOD_NOT_ALLOWED GET is not allowed at /application/v2/tenant/default/session, only POST
                    GET /session/3/active => 405 METHOD_NOT_ALLOWED GET is not allowed at /application/v2/tenant/default/session/3/active, only PUT
                    POST /session => 400 BAD_REQUEST expected Content-Type application/zip, application/x-gzip or application/gzip, but found none, or multipart/form-data with such a part
                    POST /session?from=http://h/other => 400 BAD_REQUEST from: expected the URL of an application, such as http://h:19071/application/v2/tenant/default/application/default/environment/prod/region/default/instance/default, but found 'http://h/other'
                    """)
    void refusesStepsThatAreOutOfOrder(String request, String answer) throws Exception {
        deploy();
        deploy();
        create();
        String[] words = request.split(" ", 2);

        HttpTester.Response reply = connection.send(words[0], TENANT + words[1], "", new byte[0]);

        String[] parts = answer.split(" ", 2);
        assertError(reply, Integer.parseInt(parts[0]), parts[1]);
    }

    @Test
    void reportsProblemsAndPreparesACorrectedPackage() throws Exception {
        connection.post(SESSION, Packages.zip(Packages.files("field a typ int {}")));

        HttpTester.Response wrong = connection.put(SESSION + "/1/prepared");
        connection.put(SESSION + "/1/content/schemas/note.sd", schema(TEXT));
        HttpTester.Response mended = connection.put(SESSION + "/1/prepared");

        assertThat(wrong.getStatus()).isEqualTo(400);
        assertThat(wrong.getContent())
                .startsWith(
                        "{\"error-code\":\"INVALID_APPLICATION_PACKAGE\",\"message\":\"Invalid"
                                + " application: schemas/note.sd:3:13: expected 'type'");
        assertThat(mended.getStatus()).isEqualTo(200);
        assertThat(connection.put(SESSION + "/1/active").getStatus()).isEqualTo(200);
        assertThat(activatedFields()).containsKey("text");
    }

    @Test
    void comparesWithWhatIsActive() throws Exception {
        connection.post(
                TENANT + "/prepareandactivate",
                Packages.zip(Packages.files("field a type int {}")));
        connection.post(SESSION, Packages.zip(Packages.files("field a type long {}")));

        HttpTester.Response reply = connection.put(SESSION + "/2/prepared");

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent()).contains("field-type-change");
        assertThat(connection.put(SESSION + "/2/active").getStatus()).isEqualTo(400);
    }

    @Test
    void forgetsThatItIsPreparedWhenFilesChange() throws Exception {
        create();
        connection.put(SESSION + "/1/prepared");

        connection.put(SESSION + "/1/content/files/a.txt", "a");

        assertError(
                connection.put(SESSION + "/1/active"),
                400,
                "BAD_REQUEST session 1 is not prepared: put .../session/1/prepared first");
    }

    @Test
    void makesASessionOfTheActiveApplication() throws Exception {
        HttpTester.Response none =
                connection.post(SESSION + "?from=" + URL + APPLICATION, new byte[0]);
        deploy();

        HttpTester.Response copied =
                connection.post(SESSION + "?from=" + URL + APPLICATION, new byte[0]);

        assertThat(none.getStatus()).isEqualTo(404);
        assertThat(copied.getContent()).contains("\"session-id\":\"2\"");
        connection.delete(SESSION + "/2/content/schemas/note.sd");
        assertThat(connection.get(APPLICATION + "/content/schemas/note.sd").getStatus())
                .isEqualTo(200);
        connection.put(SESSION + "/2/content/schemas/note.sd", schema(TEXT, "field n type int {}"));
        connection.put(SESSION + "/2/prepared");
        assertThat(connection.put(SESSION + "/2/active").getStatus()).isEqualTo(200);
        assertThat(activatedFields()).containsKey("n");
    }

    @Test
    void deletesSessionsThatNobodyActivates() throws Exception {
        create();
        connection.put(SESSION + "/1/prepared");
        connection.now = connection.now.plus(LIMITS.life()).minusMillis(1);
        assertThat(connection.get(SESSION + "/1/prepared").getStatus()).isEqualTo(200);

        connection.now = connection.now.plusMillis(1);

        assertThat(connection.get(SESSION + "/1/prepared").getStatus()).isEqualTo(404);
        assertThat(connection.get(SESSION + "/1/content/").getStatus()).isEqualTo(404);
        assertThat(connection.put(SESSION + "/1/active").getStatus()).isEqualTo(404);
        assertThat(filesLeft()).containsExactly("last");
    }

    @Test
    void refusesToReceiveMoreAtOnceThanItMay() throws Exception {
        connection.close();
        connection =
                AdminConnection.open(
                        directory,
                        PackageLimits.DEFAULT,
                        new SessionLimits(3, 5_000, Duration.ofHours(1), 0),
                        20_000);

        HttpTester.Response refused =
                connection.post(TENANT + "/prepareandactivate", new byte[] {1});

        assertError(
                refused,
                429,
                "TOO_MANY_UPLOADS 0 packages and files are being received, which is the limit; try"
                        + " again");
        assertThat(refused.get("Retry-After")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/zip", "multipart/form-data; boundary=x"})
    void idleUploadsGiveTheirPlacesToOthers(String type) throws Exception {
        connection.close();
        connection =
                AdminConnection.open(
                        directory, PackageLimits.DEFAULT, LIMITS, Duration.ZERO, 20_000);
        var idle = new ArrayList<LocalConnector.LocalEndPoint>();
        for (int i = 0; i < LIMITS.uploads(); i++) {
            idle.add(connection.begin(SESSION, type, 1_000));
            int begun = i + 1;
            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() -> assertThat(connection.waitingUploads()).isEqualTo(begun));
        }
        HttpTester.Response created = create();
        HttpTester.Response refused =
                HttpTester.parseResponse(idle.getFirst().getResponse(false, 10, TimeUnit.SECONDS));

        assertThat(created.getStatus()).isEqualTo(200);
        assertError(
                refused,
                429,
                "TOO_MANY_UPLOADS this upload received less than 16,384 bytes in 0 ms and gave its"
                        + " place to another; try again");
        assertThat(idle.getLast().getOutput().hasRemaining()).isFalse();
        idle.getLast().addInput("x".repeat(1_000));
        assertThat(idle.getLast().getResponse(false, 10, TimeUnit.SECONDS))
                .startsWith("HTTP/1.1 400 ");
        assertThat(filesLeft()).containsExactlyInAnyOrder("last", "1");
    }

    @Test
    void refusesMoreSessionsThanMayWait() throws Exception {
        for (int i = 0; i < LIMITS.count(); i++) {
            assertThat(create().getStatus()).isEqualTo(200);
        }

        HttpTester.Response refused = create();
        connection.put(SESSION + "/3/prepared");
        connection.put(SESSION + "/3/active");

        assertError(
                refused,
                400,
                "QUOTA_EXCEEDED 3 sessions wait to be activated, which is the limit; the oldest is"
                        + " deleted in 3601 seconds");
        assertThat(create().getStatus()).isEqualTo(200);
    }

    @Test
    void refusesMoreBytesThanMayWait() throws Exception {
        create();
        HttpTester.Response put = connection.put(SESSION + "/1/content/a.txt", "a".repeat(4_900));
        var files = Packages.files(TEXT);
        files.put("files/a.txt", "a".repeat(4_900));
        HttpTester.Response created = connection.post(SESSION, Packages.zip(files));

        assertThat(put.getStatus()).isEqualTo(400);
        assertThat(put.getContent())
                .contains("QUOTA_EXCEEDED", "more than the limit of 5,000; the oldest is deleted");
        assertThat(created.getContent()).contains("QUOTA_EXCEEDED");
        assertThat(filesLeft()).containsExactlyInAnyOrder("1", "last");
        assertThat(connection.get(SESSION + "/1/content/a.txt").getStatus()).isEqualTo(404);
    }

    @Test
    void keepsTheActiveSessionOverARestart() throws Exception {
        create();
        connection.put(SESSION + "/1/prepared");
        connection.put(SESSION + "/1/active");
        create();
        connection.close();

        connection = AdminConnection.open(directory, PackageLimits.DEFAULT, LIMITS, 20_000);

        assertThat(connection.get(SESSION + "/1/content/services.xml").getStatus()).isEqualTo(200);
        assertThat(connection.get(SESSION + "/1/prepared").getStatus()).isEqualTo(400);
        assertThat(connection.put(SESSION + "/2/prepared").getStatus()).isEqualTo(404);
        assertThat(create().getContent()).contains("\"session-id\":\"3\"");
    }

    @Test
    void keepsASessionThatCannotBeServed() throws Exception {
        create();
        connection.put(SESSION + "/1/prepared");
        connection.activation.reply = () -> new ModelActivation.Reply.Refused("no model");

        HttpTester.Response refused = connection.put(SESSION + "/1/active");
        connection.activation.reply = ModelActivation.Reply.Activated::new;

        assertError(refused, 400, "INVALID_APPLICATION_PACKAGE Invalid application: no model");
        assertThat(connection.put(SESSION + "/1/active").getStatus()).isEqualTo(200);
    }

    private HttpTester.Response create() throws Exception {
        return connection.post(SESSION, Packages.zip(Packages.files(TEXT)));
    }

    private void deploy() throws Exception {
        HttpTester.Response reply =
                connection.post(TENANT + "/prepareandactivate", Packages.zip(Packages.files(TEXT)));
        assertThat(reply.getStatus()).isEqualTo(200);
    }

    private static String schema(String... fields) {
        return Packages.files(fields).getOrDefault("schemas/note.sd", "");
    }

    private Map<String, SchemaField> activatedFields() {
        return Objects.requireNonNull(connection.activation.models.getLast().schemas().get("note"))
                .fields();
    }

    private List<String> filesLeft() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static void assertError(HttpTester.Response reply, int status, String answer) {
        String[] parts = answer.split(" ", 2);
        assertThat(reply.getStatus()).isEqualTo(status);
        assertThat(reply.getContent())
                .isEqualTo(
                        "{\"error-code\":\"%s\",\"message\":\"%s\"}".formatted(parts[0], parts[1]));
    }
}
