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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Deploys and feeds what the page on typos shows, in both modes, and asks what it asks. */
class TyposPageIT {
    private static final Path PAGE = Path.of(System.getProperty("crabro.root"), "docs/typos.md");
    private static final Pattern SCHEMA = Pattern.compile("```sd\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DOCUMENTS = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PLAN = Pattern.compile("```plan\n(.*?)\n```", Pattern.DOTALL);

    /** A condition, and the ids that it finds, in order. */
    private static final Pattern FOUND = Pattern.compile("\\| `([^`]+)` \\|((?: \\d+)*) \\|");

    @TempDir Path data;

    private CrabroServer start(Http http, String mode, String documents) throws Exception {
        CrabroServer server = CrabroServer.start(TestSettings.onAnyPorts(data));
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "services.xml",
                                        services(mode),
                                        "schemas/note.sd",
                                        part(SCHEMA))));
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        Http.Answer fed =
                http.post(
                        server.container().resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        documents.getBytes(UTF_8));
        assertThat(fed.body().toString()).contains("\"failed\":0");
        return server;
    }

    private static String services(String mode) {
        return """
        <services version="1.0">
          <container id="default" version="1.0"><search/><document-api/></container>
          <content id="notes" version="1.0">
            <min-redundancy>1</min-redundancy>
            <documents><document type="note" mode="%s"/></documents>
          </content>
        </services>
        """
                .formatted(mode);
    }

    private static String part(Pattern pattern) throws Exception {
        Matcher part = pattern.matcher(Files.readString(PAGE));
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"streaming", "index"})
    void answersAsThePageSays(String mode) throws Exception {
        var lines = new ArrayList<String>();
        var answers = new ArrayList<String>();
        try (var http = new Http();
                var server = start(http, mode, part(DOCUMENTS))) {
            for (String line : Files.readAllLines(PAGE)) {
                Matcher ids = FOUND.matcher(line);
                if (ids.matches()) {
                    lines.add(line);
                    JsonNode root = root(http, server, yql(ids.group(1)), mode, "");
                    answers.add(line.substring(0, ids.start(2)) + listed(root) + " |");
                }
            }
            JsonNode plan =
                    answer(
                                    http,
                                    server,
                                    yql("{typos: true}userInput(\"cofee\")"),
                                    mode,
                                    "&trace.explain=true")
                            .get("trace")
                            .get("plan");

            assertThat(answers).containsExactlyElementsOf(lines);
            assertThat(lines).hasSizeGreaterThan(12);
            assertThat(plan.get("words")).hasToString(part(PLAN));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"streaming", "index"})
    void ranksExactMatchesFirstAndCountsAll(String mode) throws Exception {
        var documents = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            // The exact word stands once, at the end of the longest texts.
            boolean isExact = i == 17 || i == 31;
            documents.append(
                    "{\"put\":\"id:web:note:g=ann:%d\",\"fields\":{\"title\":\"%s\",\"text\":\"%s\"}}%n"
                            .formatted(
                                    i,
                                    isExact ? "a" : "house",
                                    isExact ? "word ".repeat(300) + "houze" : "house house"));
        }
        try (var http = new Http();
                var server = start(http, mode, documents.toString())) {
            for (String profile : List.of("default", "words")) {
                for (String parameters : List.of("query=houze", "query=huoze", "query=hous")) {
                    JsonNode root =
                            root(
                                    http,
                                    server,
                                    parameters,
                                    mode,
                                    "&model.typos=true&model.beginning=true&hits=3&ranking="
                                            + profile);
                    boolean isExact = parameters.equals("query=houze");

                    assertThat(root.get("fields").get("totalCount").asInt())
                            .as(parameters)
                            .isEqualTo(parameters.equals("query=hous") ? 38 : isExact ? 40 : 2);
                    if (isExact) {
                        assertThat(listed(root)).as(profile).startsWith(" 17 31 ");
                    }
                }
            }
            JsonNode grouped =
                    root(
                            http,
                            server,
                            yql("{typos:true}userInput(\"houze\")")
                                    + URLEncoder.encode(
                                            " | all(group(title) each(output(count())))", UTF_8),
                            mode,
                            "&hits=0");

            assertThat(grouped.toString()).contains("\"count()\":38").contains("\"count()\":2");
        }
    }

    private static String yql(String condition) {
        return "yql=" + URLEncoder.encode("select * from note where " + condition, UTF_8);
    }

    private static JsonNode root(
            Http http, CrabroServer server, String query, String mode, String parameters)
            throws Exception {
        return answer(http, server, query, mode, parameters).get("root");
    }

    private static JsonNode answer(
            Http http, CrabroServer server, String query, String mode, String parameters)
            throws Exception {
        String group = mode.equals("streaming") ? "&streaming.groupname=ann" : "";
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve("/search/?timeout=60s&" + query + group + parameters));
        assertThat(answer.status()).as(query + " " + answer).isEqualTo(200);
        assertThat(answer.body().get("root").has("errors")).as(answer.toString()).isFalse();
        return answer.body();
    }

    private static String listed(JsonNode root) {
        if (!root.has("children")) {
            return "";
        }
        return root.get("children")
                .valueStream()
                .map(hit -> hit.get("id").asString())
                .map(id -> " " + id.substring(id.lastIndexOf(':') + 1))
                .collect(Collectors.joining());
    }
}
