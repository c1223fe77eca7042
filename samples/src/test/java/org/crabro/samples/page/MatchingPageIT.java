package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Deploys and feeds what the page on matching shows, and asks for each line of its tables. */
class MatchingPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));
    private static final Pattern SCHEMA = Pattern.compile("```sd\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DOCUMENTS = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    /** A condition, and the ids that it finds. */
    private static final Pattern FOUND = Pattern.compile("\\| `([^`]+)` \\|((?: \\d+)*) \\|");

    /** A condition that finds one, a document summary, and what that shows. */
    private static final Pattern SHOWN =
            Pattern.compile("\\| `([^`]+)` \\| `([a-z]+)` \\| `(\\{[^`]+})` \\|");

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="pages" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="page" mode="streaming"/></documents>
              </content>
            </services>
            """;

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/matching.md"));
        var lines = new ArrayList<String>();
        var answers = new ArrayList<String>();
        int count = 0;
        int shown = 0;
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(
                                    Map.of(
                                            "services.xml",
                                            SERVICES,
                                            "schemas/page.sd",
                                            part(SCHEMA, page))));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            Http.Answer fed =
                    http.post(
                            server.container().resolve("/document/v1/?answers=failed"),
                            "application/jsonl",
                            part(DOCUMENTS, page).getBytes(UTF_8));
            assertThat(fed.body().toString()).contains("\"failed\":0");
            for (String line : page.lines().toList()) {
                Matcher ids = FOUND.matcher(line);
                Matcher fields = SHOWN.matcher(line);
                if (ids.matches()) {
                    count++;
                    lines.add(line);
                    JsonNode hits = hits(http, server, ids.group(1), "default");
                    answers.add(line.substring(0, ids.start(2)) + listed(ids(hits)) + " |");
                } else if (fields.matches()) {
                    shown++;
                    lines.add(line);
                    JsonNode hits = hits(http, server, fields.group(1), fields.group(2));
                    assertThat(hits).as(line).hasSize(1);
                    answers.add(
                            "%s%s` |"
                                    .formatted(
                                            line.substring(0, fields.start(3)),
                                            hits.get(0).get("fields")));
                }
            }
        }

        assertThat(answers).containsExactlyElementsOf(lines);
        assertThat(count).isGreaterThan(30);
        assertThat(shown).isGreaterThan(4);
    }

    private static String part(Pattern pattern, String page) {
        Matcher part = pattern.matcher(page);
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private static JsonNode hits(Http http, CrabroServer server, String condition, String summary)
            throws Exception {
        String yql = "select * from page where " + condition;
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?streaming.groupname=ann&ranking=unranked&timeout=60s&summary="
                                                + summary
                                                + "&yql="
                                                + URLEncoder.encode(yql, UTF_8)));
        assertThat(answer.status()).as(condition + " " + answer).isEqualTo(200);
        JsonNode root = answer.body().get("root");
        assertThat(root.has("errors")).as(answer.toString()).isFalse();
        return root.has("children") ? root.get("children") : Http.JSON.createArrayNode();
    }

    private static String listed(List<String> ids) {
        return ids.stream().map(id -> " " + id).collect(Collectors.joining());
    }

    private static List<String> ids(JsonNode hits) {
        var ids = new ArrayList<String>();
        for (JsonNode hit : hits) {
            String id = hit.get("id").asString();
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        ids.sort(null);
        return ids;
    }
}
