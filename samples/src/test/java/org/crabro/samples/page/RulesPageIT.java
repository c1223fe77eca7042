package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Deploys and feeds what the page on rules shows, and asks for each line of its table. */
class RulesPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** A query with its parameters, and the ids that it finds. */
    private static final Pattern FOUND = Pattern.compile("\\| `([^`]+)` \\|((?: \\d+)*) \\|");

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/rules.md"));
        var lines = new ArrayList<String>();
        var answers = new ArrayList<String>();
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            deploy(http, server, page, part("sr", page));
            Http.Answer fed =
                    http.post(
                            server.container().resolve("/document/v1/?answers=failed"),
                            "application/jsonl",
                            part("json", page).getBytes(UTF_8));
            assertThat(fed.body().toString()).contains("\"failed\":0");
            for (String line : page.lines().toList()) {
                Matcher ids = FOUND.matcher(line);
                if (ids.matches()) {
                    lines.add(line);
                    answers.add(
                            line.substring(0, ids.start(2))
                                    + ids(http, server, ids.group(1))
                                    + " |");
                }
            }
            assertThat(traced(http, server))
                    .contains(
                            "Rule lotr -> lord of the rings; made (and default:lord default:of default:the default:rings)",
                            "Query by rule base 'shop': (and default:lord default:rings)");
        }

        assertThat(answers).containsExactlyElementsOf(lines);
        assertThat(lines).hasSizeGreaterThan(10);
    }

    @Test
    void anErrorInARuleBaseRejectsTheDeployment() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/rules.md"));
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(data));
                var http = new Http()) {
            Http.Answer deployed = answer(http, server, page, "a -> b;\nc d => e;");

            assertThat(deployed.status()).isEqualTo(400);
            assertThat(deployed.body().toString())
                    .contains("rules/shop.sr:2:6: expected a condition but found '>'");
        }
    }

    private static void deploy(Http http, CrabroServer server, String page, String rules)
            throws Exception {
        Http.Answer deployed = answer(http, server, page, rules);
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
    }

    private static Http.Answer answer(Http http, CrabroServer server, String page, String rules)
            throws Exception {
        return http.post(
                server.config().resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(
                        Map.of(
                                "services.xml",
                                part("xml", page),
                                "schemas/item.sd",
                                part("sd", page),
                                "rules/shop.sr",
                                rules)));
    }

    private static String part(String language, String page) {
        Matcher part =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private static String traced(Http http, CrabroServer server) throws Exception {
        return search(http, server, "lotr&tracelevel.rules=1").at("/trace").toString();
    }

    private static JsonNode search(Http http, CrabroServer server, String query) throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?streaming.groupname=ann&type=all&timeout=60s&query="
                                                + query.replace(" ", "%20")));
        assertThat(answer.status()).as(query + " " + answer).isEqualTo(200);
        return answer.body();
    }

    private static String ids(Http http, CrabroServer server, String query) throws Exception {
        var ids = new ArrayList<String>();
        for (JsonNode hit : search(http, server, query).path("root").path("children")) {
            String id = hit.get("id").asString();
            ids.add(" " + id.substring(id.lastIndexOf(':') + 1));
        }
        ids.sort(null);
        return String.join("", ids);
    }
}
