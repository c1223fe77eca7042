package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Which forms of words match, over HTTP: normalization in mode index, and special tokens. */
class WordFormsIT {
    private static final String SCHEMA =
            """
            schema TYPE {
              document TYPE {
                field text type string {
                  indexing: index | summary
                  bolding: on
                }
                field name type string { indexing: attribute | summary }
                field label type string {
                  indexing: index | summary
                  match: exact
                }
              }
              fieldset default { fields: text }
            }
            """;

    private static final String SERVICES =
            """
            <services version="1.0">
              CONFIG
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="indexed" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="page" mode="index"/></documents>
              </content>
              <content id="streamed" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String TOKENS =
            """
            <config name="vespa.configdefinition.specialtokens">
              <tokenlist><item><name>default</name><tokens>%s</tokens></item></tokenlist>
            </config>
            """;

    @TempDir Path data;

    /** Ligatures, Roman, raised, circled and full-width letters, and letters from parts. */
    @Test
    void modeIndexNormalizesTheWordsOfIndexedTexts() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            deploy(http, server, "");
            String written = "\ufb01sh \u2167 x\u1d43 \u24b6\u24b7 \uff21\uff11 \u0438\u0306";
            put(http, server, "page", "1", written);
            put(http, server, "note", "1", written);
            put(http, server, "page", "2", "fish viii xa ab a1 \u0439");

            for (String word : List.of("fish", "VIII", "xa", "AB", "a1", "\u0439")) {
                assertThat(ids(http, server, "page", "query", word)).as(word).isEqualTo("1 2");
            }
            for (String word : written.split(" ", -1)) {
                assertThat(ids(http, server, "page", "query", word)).as(word).isEqualTo("1 2");
                assertThat(ids(http, server, "note", "query", word)).as(word).isEqualTo("1");
            }
            assertThat(ids(http, server, "page", "yql", where("text contains 'fish'")))
                    .isEqualTo("1 2");
            assertThat(ids(http, server, "note", "query", "fish")).isEmpty();
            assertThat(ids(http, server, "page", "yql", where("name contains 'fish'")))
                    .isEqualTo("2");
            assertThat(ids(http, server, "page", "yql", where("label contains 'fish'")))
                    .isEqualTo("2");
            assertThat(shown(http, server, "page", "fish"))
                    .contains("<hi>\ufb01sh</hi>", "<hi>fish</hi>");
        }
    }

    /** A changed list of tokens applies to documents that are stored. */
    @Test
    void specialTokensAreWordsOfDocumentsAndQueriesAtOnce() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            deploy(http, server, "");
            for (String type : List.of("page", "note")) {
                put(http, server, type, "1", "C++ and C#");
                put(http, server, type, "2", "C or asp.net, not network");
            }
            assertThat(ids(http, server, "note", "query", "c++")).isEqualTo("1 2");

            deploy(
                    http,
                    server,
                    TOKENS.formatted(
                            "<item><token>c++</token></item><item><token>c#</token><replace>csharp</replace></item>"
                                    + "<item><token>.net</token></item>"));

            for (String type : List.of("page", "note")) {
                assertThat(ids(http, server, type, "query", "C++")).as(type).isEqualTo("1");
                assertThat(ids(http, server, type, "query", "c")).as(type).isEqualTo("2");
                assertThat(ids(http, server, type, "query", "c#")).as(type).isEqualTo("1");
                assertThat(ids(http, server, type, "query", "csharp")).as(type).isEqualTo("1");
                assertThat(ids(http, server, type, "query", ".net")).as(type).isEqualTo("2");
                assertThat(ids(http, server, type, "query", "net")).as(type).isEmpty();
                assertThat(ids(http, server, type, "query", "network")).as(type).isEqualTo("2");
                assertThat(ids(http, server, type, "yql", where("text contains 'c++ and'")))
                        .as(type)
                        .isEqualTo("1");
                assertThat(
                                ids(
                                        http,
                                        server,
                                        type,
                                        "yql",
                                        where("text contains phrase('asp', '.net')")))
                        .as(type)
                        .isEqualTo("2");
                assertThat(shown(http, server, type, "c++")).contains("<hi>C++</hi> and C#");
                assertThat(shown(http, server, type, ".net"))
                        .contains("asp<hi>.net</hi>, not network");
            }

            deploy(http, server, "");
            assertThat(ids(http, server, "note", "query", "c++")).isEqualTo("1 2");
        }
    }

    @Test
    void aWrongSpecialTokenRejectsTheDeployment() throws Exception {
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer answer =
                    answer(http, server, TOKENS.formatted("<item><token>C++</token></item>"));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body().toString())
                    .contains("special token 'C++' must be in lower case");
        }
    }

    private static String where(String condition) {
        return "select * from sources * where " + condition;
    }

    private static void deploy(Http http, CrabroServer server, String config) throws Exception {
        Http.Answer answer = answer(http, server, config);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    private static Http.Answer answer(Http http, CrabroServer server, String config)
            throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                SERVICES.replace("CONFIG", config),
                                "schemas/page.sd",
                                SCHEMA.replace("TYPE", "page"),
                                "schemas/note.sd",
                                SCHEMA.replace("TYPE", "note"))));
    }

    private static void put(Http http, CrabroServer server, String type, String id, String text)
            throws Exception {
        String first = text.substring(0, text.indexOf(' '));
        String fields =
                "{\"fields\":{\"text\":\"%s\",\"name\":\"%s\",\"label\":\"%s\"}}"
                        .formatted(text, first, first);
        Http.Answer answer =
                http.post(
                        server.container().resolve("/document/v1/n/" + type + "/group/g/" + id),
                        "application/json",
                        fields.getBytes(UTF_8));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    private static String ids(
            Http http, CrabroServer server, String type, String parameter, String value)
            throws Exception {
        var ids = new ArrayList<String>();
        for (JsonNode hit : hits(http, server, type, parameter, value)) {
            String id = hit.get("id").asString();
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        ids.sort(null);
        return String.join(" ", ids);
    }

    private static String shown(Http http, CrabroServer server, String type, String word)
            throws Exception {
        var texts = new ArrayList<String>();
        for (JsonNode hit : hits(http, server, type, "query", word)) {
            texts.add(hit.at("/fields/text").asString());
        }
        return String.join(" | ", texts);
    }

    private static JsonNode hits(
            Http http, CrabroServer server, String type, String parameter, String value)
            throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?timeout=60s&streaming.groupname=g&restrict=%s&%s=%s"
                                                .formatted(
                                                        type,
                                                        parameter,
                                                        URLEncoder.encode(value, UTF_8))));
        assertThat(answer.status()).as("%s %s", value, answer).isEqualTo(200);
        JsonNode root = answer.body().get("root");
        assertThat(root.has("errors")).as("%s", root).isFalse();
        return root.path("children");
    }
}
