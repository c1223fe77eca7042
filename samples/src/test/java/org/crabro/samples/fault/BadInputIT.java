package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends what no server should take; it says so, loses nothing and goes on serving. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final String KEPT = "/document/v1/test/note/group/anna/kept";

    @TempDir static Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeAll
    void deployAndPut() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        assertThat(deploy(NotesApplication.zip()).status()).isEqualTo(200);
        Http.Answer put =
                http.post(
                        server.container().resolve(KEPT),
                        Http.JSON.readTree("{\"fields\":{\"text\":\"keep me\",\"version\":1}}"));
        assertThat(put.status()).as(put.toString()).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        server.close();
        http.close();
    }

    @AfterEach
    void servesOnAndHasLostNothing() throws Exception {
        Http.Answer got = http.get(server.container().resolve(KEPT));
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?yql=select+*+from+note+where+text+contains+%22keep%22"
                                                + "&streaming.groupname=anna&timeout=30s"));

        assertThat(got.status()).as(got.toString()).isEqualTo(200);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().get("root").get("fields").get("totalCount").asInt()).isEqualTo(1);
    }

    @Test
    void refusesABrokenZip() throws Exception {
        Http.Answer answer = deploy("this is no zip".getBytes(StandardCharsets.UTF_8));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("error-code").asString()).isNotEmpty();
        assertThat(answer.body().get("message").asString()).containsIgnoringCase("zip");
    }

    @Test
    void pointsAtTheErrorInASchema() throws Exception {
        String broken =
                NotesApplication.SCHEMA.replace("field version type int", "field version typ int");

        Http.Answer answer =
                deploy(
                        Http.zip(
                                Map.of(
                                        "services.xml",
                                        NotesApplication.SERVICES,
                                        "schemas/note.sd",
                                        broken)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("error-code").asString())
                .isEqualTo("INVALID_APPLICATION_PACKAGE");
        assertThat(answer.body().get("message").asString())
                .contains("note.sd:4:")
                .contains("expected")
                .contains("'type'")
                .contains("'typ'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"fields\":{\"txt\":\"a\"}}             | 'txt' is not defined",
                "{\"fields\":{\"version\":\"many\"}}      | version",
                "{\"fields\":{\"version\":[1]}}           | version",
                "{\"fields\":{\"version\":4000000000}}    | version",
                "{\"fields\":{\"tags\":\"rock\"}}         | tags",
                "{\"fields\":{\"place\":[1,2,3]}}         | place",
                "{\"fields\":                             | line",
                "[]                                       | object",
                "{\"put\":\"id:test:note:g=anna:kept\"}   | fields",
            })
    void namesTheFieldThatDoesNotFit(String body, String part) throws Exception {
        Http.Answer answer =
                http.post(
                        server.container().resolve("/document/v1/test/note/group/anna/kept"),
                        "application/json",
                        body.getBytes(StandardCharsets.UTF_8));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.body().get("message").asString()).contains(part);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yql=select+*+from+note+were+true&streaming.groupname=anna          | 4 | query:L1:",
                "yql=select+*+from+note+where+nothere+contains+%22a%22&streaming.groupname=anna | 4 | nothere",
                "yql=select+*+from+note+where+true                                  | 3 | streaming.groupname",
                "yql=select+*+from+other+where+true&streaming.groupname=anna        | 4 | other",
                "yql=select+*+from+note+where+true&streaming.groupname=anna&ranking=best  | 4 | best",
                "yql=select+*+from+note+where+true&streaming.groupname=anna&hits=401      | 3 | 400",
                "yql=select+*+from+note+where+true&streaming.groupname=anna&ranking=near&input.query(here)=[1] | 3 | tensor<float>(x[2])",
            })
    void saysWhatIsWrongWithAQuery(String parameters, int code, String part) throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?"
                                                + parameters
                                                        .strip()
                                                        .replace("[", "%5B")
                                                        .replace("]", "%5D")));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        var error = answer.body().get("root").get("errors").get(0);
        assertThat(error.get("code").asInt()).isEqualTo(code);
        assertThat(error.get("message").asString()).contains(part);
    }

    private Http.Answer deploy(byte[] zip) throws Exception {
        return http.post(server.config().resolve(DEPLOY), "application/zip", zip);
    }
}
