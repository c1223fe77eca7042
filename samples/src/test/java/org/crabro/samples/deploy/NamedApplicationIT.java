package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys applications that are not called default, and builds anew what serves them. */
class NamedApplicationIT {
    private static final String TENANT = "/application/v2/tenant/shop";
    private static final String APPLICATION =
            TENANT + "/application/books/environment/prod/region/default/instance/beta";
    private static final String DEPLOY =
            TENANT + "/prepareandactivate?applicationName=books&instance=beta";
    private static final String DOCUMENT = "/document/v1/home/note/docid/1";

    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    NotesApplication.SERVICES,
                    "schemas/note.sd",
                    NotesApplication.SCHEMA,
                    "search/query-profiles/default.xml",
                    """
                    <query-profile id="default">
                      <dimensions>application, instance</dimensions>
                      <query-profile for="books, beta"><field name="hits">1</field></query-profile>
                    </query-profile>
                    """);

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        assertThat(http.put(config(TENANT), Http.JSON.createObjectNode()).status()).isEqualTo(200);
        assertThat(deploy(DEPLOY).status()).isEqualTo(200);
        for (int i = 1; i <= 2; i++) {
            Http.Answer put =
                    http.post(
                            server.container().resolve("/document/v1/home/note/docid/" + i),
                            Http.JSON.readTree("{\"fields\":{\"text\":\"a book\"}}"));
            assertThat(put.status()).as(put.toString()).isEqualTo(200);
        }
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private URI config(String path) {
        return server.config().resolve(path);
    }

    private Http.Answer deploy(String path) throws Exception {
        return http.post(config(path), "application/zip", Http.zip(FILES));
    }

    private int hits() throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?yql=select+*+from+note+where+true&timeout=30s"
                                                + "&streaming.selection=true"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().get("root").path("children").size();
    }

    @Test
    void servesUnderItsNameAlsoAfterARestart() throws Exception {
        int hits = hits();
        Http.Answer other = deploy("/application/v2/tenant/default/prepareandactivate");
        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        Http.Answer converged = http.get(config(APPLICATION + "/serviceconverge"));

        assertThat(hits).isEqualTo(1);
        assertThat(other.status()).isEqualTo(409);
        assertThat(converged.status()).isEqualTo(200);
        assertThat(converged.body().get("converged").asBoolean()).isTrue();
        assertThat(hits()).isEqualTo(1);
    }

    @Test
    void leavesDocumentsToTheNextApplication() throws Exception {
        Http.Answer deleted = http.delete(config(APPLICATION));
        Http.Answer none = http.get(server.container().resolve(DOCUMENT));
        Http.Answer next = deploy("/application/v2/tenant/default/prepareandactivate");

        assertThat(deleted.body().get("message").asString())
                .isEqualTo("Application 'books.beta' is deleted.");
        assertThat(none.status()).isEqualTo(503);
        assertThat(next.status()).as(next.toString()).isEqualTo(200);
        assertThat(http.get(server.container().resolve(DOCUMENT)).status()).isEqualTo(200);
        assertThat(hits()).isEqualTo(2);
    }

    @Test
    void servesOnWhileItIsBuiltAnew() throws Exception {
        Http.Answer built =
                http.post(
                        config(APPLICATION + "/restart?clusterId=default"),
                        Http.JSON.createObjectNode());

        assertThat(built.status()).as(built.toString()).isEqualTo(200);
        assertThat(built.body().get("message").asString())
                .isEqualTo("Rebuilt clusters [default] of application 'books.beta'.");
        assertThat(hits()).isEqualTo(1);
        assertThat(http.get(config(APPLICATION)).body().get("generation").asLong()).isEqualTo(1);
    }
}
