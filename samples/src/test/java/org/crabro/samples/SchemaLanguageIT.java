package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds and reads documents whose fields have every type that schemas have. */
class SchemaLanguageIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                struct person { field name type string {} field born type int {} }
                field text type string { indexing: summary | index }
                field author type person { indexing: summary }
                field readers type map<string, person> { indexing: summary }
                field counts type array<int> { indexing: summary }
                field colors type weightedset<string> { indexing: summary }
                field place type position { indexing: summary }
                field level type byte { indexing: summary | attribute }
                field bytes type raw { indexing: summary }
                field home type uri { indexing: summary | index
                  alias: web-page }
                field words type tensor<float>(word{}) { indexing: summary }
                field chunks type tensor<float>(chunk{},x[2]) { indexing: summary }
              }
              field names type array<string> {
                indexing: input readers | for_each { get_field $value | get_field name } | index
              }
              field size type int {
                indexing {
                  if (input text == "one two") { 2 | attribute } else { 1 | attribute };
                }
              }
              field number type int {
                indexing: input text | split " " | for_each { hash | to_string } | join "" | substring 0 1 | to_int | attribute
              }
            }
            """;
    private static final String FIELDS =
            """
            {"text":"one two","author":{"name":"Ann","born":1950},\
            "readers":{"a":{"name":"Bo"},"b":{"born":1}},"counts":[3,-1],\
            "colors":{"red":2,"blue":-5},"place":{"lat":63.4,"lng":10.4},"level":-7,\
            "bytes":"AQID","home":"http://crabro.org/a",\
            "words":{"type":"tensor<float>(word{})","cells":{"one":1.0,"two":0.5}},\
            "chunks":{"type":"tensor<float>(chunk{},x[2])","blocks":{"0":[1.0,2.0],"1":[3.0,4.0]}}}\
            """;

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(ServerSettings.onAnyPorts(data));
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                SCHEMA));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        assertThat(http.post(deploy, "application/zip", zip).status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void keepsAndShowsValuesWithParts() throws Exception {
        Http.Answer put =
                http.post(
                        document(),
                        "application/json",
                        ("{\"fields\":" + FIELDS + "}").getBytes(StandardCharsets.UTF_8));
        Http.Answer got = http.get(document());
        Http.Answer found = search("select * from note where text contains \"two\"");

        assertThat(put.status()).as("%s", put).isEqualTo(200);
        assertThat(got.body().path("fields").toString()).isEqualTo(FIELDS);
        assertThat(found.body().path("root").path("children").path(0).path("fields").toString())
                .as("%s", found)
                .contains(FIELDS.substring(1, FIELDS.length() - 1));
    }

    @Test
    void findsByNumbersAndTextsOfRarerTypes() throws Exception {
        http.post(
                document(),
                "application/json",
                ("{\"fields\":" + FIELDS + "}").getBytes(StandardCharsets.UTF_8));

        assertThat(count("level < 0")).isEqualTo(1);
        assertThat(count("level > 0")).isZero();
        assertThat(count("home contains \"crabro\"")).isEqualTo(1);
        assertThat(search("select * from note where colors contains \"red\"").toString())
                .contains("colors");
    }

    @Test
    void findsByWhatScriptsMadeAndByOtherNames() throws Exception {
        http.post(
                document(),
                "application/json",
                ("{\"fields\":" + FIELDS + "}").getBytes(StandardCharsets.UTF_8));

        assertThat(count("names contains \"bo\"")).isEqualTo(1);
        assertThat(count("names contains \"ann\"")).isZero();
        assertThat(count("size = 2")).isEqualTo(1);
        assertThat(count("web-page contains \"crabro\"")).isEqualTo(1);
    }

    @Test
    void refusesDocumentsThatScriptsCannotWorkWith() throws Exception {
        Http.Answer put =
                http.post(
                        document(),
                        "application/json",
                        "{\"fields\":{\"text\":\"\"}}".getBytes(StandardCharsets.UTF_8));

        assertThat(put.status()).isEqualTo(400);
        assertThat(put.body().path("message").asString())
                .contains("field 'number': expected a whole");
    }

    private int count(String condition) throws IOException, InterruptedException {
        Http.Answer answer = search("select * from note where " + condition);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().path("root").path("fields").path("totalCount").intValue();
    }

    private Http.Answer search(String yql) throws IOException, InterruptedException {
        return http.get(
                server.container()
                        .resolve(
                                "/search/?timeout=60s&streaming.groupname=anna&yql="
                                        + URLEncoder.encode(yql, StandardCharsets.UTF_8)));
    }

    private URI document() {
        return server.container().resolve("/document/v1/test/note/group/anna/1");
    }
}
