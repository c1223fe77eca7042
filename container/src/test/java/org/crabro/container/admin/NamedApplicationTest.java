package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.PackageLimits;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tenants, applications and instances that are not called default. */
class NamedApplicationTest {
    private static final String ROOT = "/application/v2/tenant/";
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String NUMBER = "field text type int { indexing: attribute | summary }";
    private static final int LIMIT = 20_000;

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void start() throws Exception {
        connection = open();
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
    }

    private AdminConnection open() throws Exception {
        return AdminConnection.open(directory, PackageLimits.DEFAULT, SessionLimits.DEFAULT, LIMIT);
    }

    private HttpTester.Response deploy(String path) throws Exception {
        return connection.post(ROOT + path, Packages.zip(Packages.files(TEXT)));
    }

    private static String of(String tenant, String application, String instance) {
        return ROOT
                + tenant
                + "/application/"
                + application
                + "/environment/prod/region/default/instance/"
                + instance;
    }

    private void assertError(HttpTester.Response reply, int status, String error, String message) {
        assertThat(reply.getContent())
                .isEqualTo("{\"error-code\":\"%s\",\"message\":\"%s\"}".formatted(error, message));
        assertThat(reply.getStatus()).isEqualTo(status);
    }

    @Test
    void namesTheApplicationInEachAnswer() throws Exception {
        connection.put(ROOT + "shop");
        HttpTester.Response deployed =
                deploy("shop/prepareandactivate?applicationName=books&instance=beta");
        String application = of("shop", "books", "beta");

        assertThat(deployed.getContent())
                .contains("\"tenant\":\"shop\"")
                .contains("\"url\":\"http://h:19071" + application + "\"")
                .contains("\"Session 1 for tenant 'shop' prepared and activated.\"");
        assertThat(connection.activation.models.getFirst().name())
                .isEqualTo(new ApplicationName("shop", "books", "beta"));
        assertThat(connection.get(application).getStatus()).isEqualTo(200);
        assertThat(connection.get(ROOT + "shop/application/").getContent())
                .isEqualTo("[\"http://h:19071" + application + "\"]");
        assertThat(connection.get(ROOT + "default/application/").getContent()).isEqualTo("[]");
        assertThat(connection.get(application + "/serviceconverge").getContent())
                .contains("\"url\":\"http://h:19071" + application + "/serviceconverge\"");
        assertThat(connection.get(application + "/content/").getContent())
                .contains("\"http://h:19071" + application + "/content/services.xml\"");
        assertThat(connection.get("/application/v2/host/127.0.0.1").getContent())
                .contains("\"tenant\":\"shop\",\"application\":\"books\"", "\"instance\":\"beta\"");
        assertThat(connection.send("POST", application + "/reindex", "", new byte[0]).getContent())
                .isEqualTo(
                        "{\"message\":\"Reindexing document types [note] in 'store' of application"
                                + " 'books.beta'.\"}");
        assertError(
                connection.get(of("shop", "books", "default")),
                404,
                "NOT_FOUND",
                "there is no application 'books.default', only 'books.beta' of tenant 'shop'");
        assertThat(connection.delete(application).getContent())
                .isEqualTo("{\"message\":\"Application 'books.beta' is deleted.\"}");
    }

    @Test
    void keepsTheNameOverARestart() throws Exception {
        connection.put(ROOT + "shop");
        deploy("shop/prepareandactivate?applicationName=books");
        connection.close();
        connection = open();

        assertThat(connection.activation.models.getFirst().name().text())
                .isEqualTo("shop.books.default");
        assertThat(connection.get(of("shop", "books", "default")).getStatus()).isEqualTo(200);
        assertThat(connection.get("/application/v2/tenant/").getContent())
                .isEqualTo("{\"tenants\":[\"default\",\"shop\"]}");
        assertThat(Files.readString(directory.resolve("active")))
                .isEqualTo("1 shop.books.default\n");
    }

    @Test
    void servesOneApplicationAtATime() throws Exception {
        deploy("default/prepareandactivate?applicationName=one");
        HttpTester.Response second = deploy("default/prepareandactivate?applicationName=two");
        connection.delete(of("default", "one", "default"));
        HttpTester.Response after = deploy("default/prepareandactivate?applicationName=two");

        assertError(
                second,
                409,
                "ACTIVATION_CONFLICT",
                "application 'one.default' of tenant 'default' is served here, and only one can be;"
                        + " delete it first");
        assertThat(after.getStatus()).isEqualTo(200);
    }

    @Test
    void goesThroughTheStepsOfASessionWithAName() throws Exception {
        connection.put(ROOT + "shop");
        deploy("shop/session");
        HttpTester.Response prepared =
                connection.put(ROOT + "shop/session/1/prepared?applicationName=books");
        HttpTester.Response activated = connection.put(ROOT + "shop/session/1/active");
        HttpTester.Response copied =
                connection.send(
                        "POST",
                        ROOT + "shop/session?from=http://h" + of("shop", "books", "default"),
                        "",
                        new byte[0]);
        HttpTester.Response other =
                connection.send(
                        "POST",
                        ROOT + "shop/session?from=http://h" + of("shop", "films", "default"),
                        "",
                        new byte[0]);

        assertThat(prepared.getContent())
                .contains("\"activate\":\"http://h:19071" + ROOT + "shop/session/1/active\"");
        assertThat(activated.getContent())
                .contains("\"url\":\"http://h:19071" + of("shop", "books", "default") + "\"");
        assertThat(copied.getContent()).contains("\"session-id\":\"2\"");
        assertThat(other.getStatus()).isEqualTo(404);
        assertError(
                connection.get(ROOT + "default/session/2/content/"),
                404,
                "NOT_FOUND",
                "tenant 'default' has no such session");
        assertError(
                connection.put(ROOT + "default/session/1/active"),
                404,
                "NOT_FOUND",
                "tenant 'default' has no such session");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    GET shop => 200 "message":"Tenant 'shop' exists."
                    PUT shop => 400 "message":"the tenant 'shop' is there already"
                    DELETE default => 400 "message":"the tenant 'default' cannot be deleted"
                    DELETE shop => 400 "message":"the tenant 'shop' cannot be deleted: its application is served: delete that first"
                    DELETE empty => 200 "message":"Tenant 'empty' is deleted."
                    GET gone => 404 "message":"there is no tenant 'gone'"
                    DELETE gone => 404 "message":"there is no tenant 'gone'"
                    PUT new-1_a => 200 "message":"Tenant 'new-1_a' is created."
                    POST gone/session => 404 "message":"there is no tenant 'gone'"
                    GET gone/application/ => 404 "message":"there is no tenant 'gone'"
                    """)
    void makesAndDeletesTenants(String request, String answer) throws Exception {
        connection.put(ROOT + "shop");
        connection.put(ROOT + "empty");
        deploy("shop/prepareandactivate");
        String[] words = request.split(" ", 2);

        HttpTester.Response reply = connection.send(words[0], ROOT + words[1], "", new byte[0]);

        String[] parts = answer.split(" ", 2);
        assertThat(reply.getContent()).contains(parts[1]);
        assertThat(reply.getStatus()).isEqualTo(Integer.parseInt(parts[0]));
    }

    @Test
    void readsPartsForThisApplicationAndNoOther() throws Exception {
        Map<String, String> files = new TreeMap<>(Packages.files(TEXT));
        String services = files.getOrDefault("services.xml", "");
        files.put(
                "services.xml",
                services.replace(
                                "<services version=\"1.0\">",
                                "<services version=\"1.0\" xmlns:deploy=\"vespa\">")
                        .replace(
                                "</services>",
                                "  <container id=\"beta\" version=\"1.0\""
                                        + " deploy:instance=\"beta\"><http><server id=\"own\""
                                        + " port=\"8081\"/></http></container>\n</services>"));
        connection.post(
                ROOT + "default/prepareandactivate?instance=beta&dryRun=true", Packages.zip(files));
        connection.post(ROOT + "default/prepareandactivate?instance=beta", Packages.zip(files));
        connection.delete(of("default", "default", "beta"));
        connection.post(ROOT + "default/prepareandactivate", Packages.zip(files));

        assertThat(connection.activation.models)
                .extracting(model -> model.services().containers().size())
                .containsExactly(2, 1);
    }

    @Test
    void activatesWhatOthersOvertookWhereThatIsForced() throws Exception {
        deploy("default/session");
        deploy("default/prepareandactivate");
        connection.put(ROOT + "default/session/1/prepared");
        HttpTester.Response refused = connection.put(ROOT + "default/session/1/active");
        HttpTester.Response forced = connection.put(ROOT + "default/session/1/active?force=true");

        assertThat(refused.getStatus()).isEqualTo(409);
        assertThat(forced.getStatus()).isEqualTo(200);
        assertThat(connection.get(of("default", "default", "default")).getContent())
                .startsWith("{\"generation\":1,");
    }

    @Test
    void warnsOfWhatItWouldRefuseWhereThatIsAskedFor() throws Exception {
        deploy("default/prepareandactivate");
        byte[] changed = Packages.zip(Packages.files(NUMBER));
        HttpTester.Response refused = connection.post(ROOT + "default/prepareandactivate", changed);
        HttpTester.Response ignored =
                connection.post(
                        ROOT + "default/prepareandactivate?ignoreValidationErrors=true", changed);
        HttpTester.Response broken =
                connection.post(
                        ROOT + "default/prepareandactivate?ignoreValidationErrors=true",
                        "no zip".getBytes(StandardCharsets.UTF_8));

        assertThat(refused.getStatus()).isEqualTo(400);
        assertThat(ignored.getStatus()).isEqualTo(200);
        assertThat(ignored.getContent())
                .contains("\"level\":\"WARNING\"")
                .contains("not refused, because of ignoreValidationErrors: field-type-change: ")
                .contains("\"refeed\":[{\"name\":\"field-type-change\"");
        assertThat(broken.getStatus()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    '' => 200 "message":"Rebuilt clusters [default, store] of application 'default.default'."
                    ?clusterId=store => 200 "message":"Rebuilt clusters [store] of application 'default.default'."
                    ?clusterType=container => 200 "message":"Rebuilt clusters [default] of application 'default.default'."
                    ?hostname=127.0.0.1&clusterId=default => 200 "message":"Rebuilt clusters [default] of application 'default.default'."
                    ?clusterId=other => 400 "message":"no cluster of application 'default.default' matches [clusterId=other]"
                    ?hostname=h2&clusterType=content => 400 "message":"no cluster of application 'default.default' matches [clusterType=content, hostname=h2]"
                    """)
    void buildsAnewWhatServes(String query, String answer) throws Exception {
        deploy("default/prepareandactivate");
        HttpTester.Response reply =
                connection.send(
                        "POST",
                        of("default", "default", "default") + "/restart" + query,
                        "",
                        new byte[0]);

        String[] parts = answer.split(" ", 2);
        boolean isBuilt = parts[0].equals("200");
        assertThat(reply.getContent()).contains(parts[1]);
        assertThat(reply.getStatus()).isEqualTo(Integer.parseInt(parts[0]));
        assertThat(connection.activation.models).hasSize(isBuilt ? 2 : 1);
        assertThat(connection.activation.models.getLast())
                .isSameAs(connection.activation.models.getFirst());
    }

    @Test
    void servesOnWhatCannotBeBuiltAnew() throws Exception {
        deploy("default/prepareandactivate");
        connection.activation.reply = () -> new ModelActivation.Reply.Refused("no model");

        HttpTester.Response reply =
                connection.send(
                        "POST", of("default", "default", "default") + "/restart", "", new byte[0]);

        assertError(reply, 400, "INVALID_APPLICATION_PACKAGE", "Invalid application: no model");
        assertThat(connection.get(of("default", "default", "default")).getStatus()).isEqualTo(200);
    }
}
