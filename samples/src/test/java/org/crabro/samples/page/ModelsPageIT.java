package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Deploys and feeds what the page on models shows, ranks by each line of its table, and evaluates
 * the model over HTTP.
 */
class ModelsPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));
    private static final Path MODEL =
            ROOT.resolve("ranking/src/test/resources/org/crabro/ranking/onnx/pair.onnx");
    private static final Pattern SCHEMA = Pattern.compile("```sd\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DOCUMENTS = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
    private static final Pattern HERE = Pattern.compile("`input.query\\(here\\)=([^`]+)`");
    private static final Pattern EVALUATED =
            Pattern.compile(
                    "```sh\ncurl .*?'http://127.0.0.1:8080/(.*?)\\?(.*?)'\n```\n\n```text\n(.*?)\n```",
                    Pattern.DOTALL);
    private static final Pattern RANKED = Pattern.compile("\\| `(\\w+)` \\| (\\d: .*) \\|");

    @TempDir Path data;

    @Test
    void ranksAsThePageSays() throws Exception {
        String page = PageCommands.page("models.md");
        var lines = new ArrayList<String>();
        var answers = new ArrayList<String>();
        Matcher evaluated = EVALUATED.matcher(page);
        assertThat(evaluated.find()).isTrue();
        try (var served =
                new ServedPackage(
                        TestSettings.onAnyPorts(data),
                        Map.of("schemas/item.sd", part(SCHEMA, page)))) {
            served.add("models/pair.onnx", Files.readAllBytes(MODEL));
            served.deploy(
                    NotesApplication.SERVICES
                            .replace("\"note\"", "\"item\"")
                            .replace("<search/>", "<search/><model-evaluation/>"));
            served.feed(part(DOCUMENTS, page).lines().toList());
            ServedPackage.Answer result =
                    served.get("/%s?%s".formatted(evaluated.group(1), encoded(evaluated.group(2))));
            assertThat(result.status()).as(result.toString()).isEqualTo(200);
            assertThat(result.json()).isEqualTo(Http.JSON.readTree(evaluated.group(3)));
            assertThat(served.get("/metrics/v2/values?consumer=vespa").body())
                    .contains("\"model\":\"pair\"", "model.in_flight.last", "model.runs.count");
            Matcher ranked = RANKED.matcher(page);
            while (ranked.find()) {
                lines.add(ranked.group(2));
                answers.add(ranked(served, ranked.group(1), part(HERE, page)));
            }
        }

        assertThat(answers).containsExactlyElementsOf(lines).hasSize(3);
    }

    private static String encoded(String parameters) {
        return parameters.replace("[", "%5B").replace("]", "%5D");
    }

    private static String part(Pattern pattern, String page) {
        Matcher part = pattern.matcher(page);
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private static String ranked(ServedPackage served, String profile, String here)
            throws Exception {
        ServedPackage.Answer answer =
                served.search(
                        "ann",
                        "select * from item where true",
                        "&ranking=%s&input.query(here)=%s"
                                .formatted(profile, URLEncoder.encode(here, UTF_8)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var hits = new ArrayList<String>();
        for (JsonNode hit : answer.json().get("root").get("children")) {
            String id = hit.get("id").asString();
            hits.add(id.substring(id.length() - 1) + ": " + hit.get("relevance").asDouble());
        }
        return String.join(", ", hits);
    }
}
