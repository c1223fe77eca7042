package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs the commands of the page on questions, and asks the questions of the sample. */
class QuestionsPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** A line of the table: the profile, the condition, and the mean reciprocal rank. */
    private static final Pattern LINE =
            Pattern.compile("\\| `(\\w+)` \\| `(.*)` \\| ([0-9.]+) \\|\n");

    @TempDir Path data;

    private final Http http = new Http();

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/questions.md"));
        int steps = 0;
        try (http;
                var server = CrabroServer.start(ServerSettings.onAnyPorts(data))) {
            var commands = new PageCommands(server, data);
            Matcher step = PageCommands.STEP.matcher(page);
            while (step.find()) {
                steps++;
                String command =
                        step.group(1).replace("http://127.0.0.1:19071", server.config().toString());
                assertThat(Http.JSON.readTree(commands.type(command)))
                        .as(command)
                        .isEqualTo(Http.JSON.readTree(step.group(2)));
            }
            List<MatchResult> lines = LINE.matcher(page).results().toList();
            assertThat(lines).hasSize(3);
            for (MatchResult line : lines) {
                double rank = meanReciprocalRank(server, line.group(1), line.group(2));
                assertThat(String.format(Locale.ROOT, "%.2f", rank))
                        .as(line.group())
                        .isEqualTo(line.group(3));
            }
        }
        assertThat(steps).isEqualTo(4);
    }

    private double meanReciprocalRank(CrabroServer server, String profile, String condition)
            throws Exception {
        List<String> questions =
                Files.readAllLines(ROOT.resolve("samples/questions/questions.jsonl"));
        double sum = 0;
        for (String line : questions) {
            JsonNode question = Http.JSON.readTree(line);
            String text = question.get("question").asString();
            List<String> expected = new ArrayList<>();
            question.get("mails")
                    .forEach(number -> expected.add("id:questions:mail:g=anna:" + number.asInt()));
            sum += reciprocalRank(found(server, profile, condition, text), expected);
        }
        return sum / questions.size();
    }

    private List<String> found(
            CrabroServer server, String profile, String condition, String question)
            throws Exception {
        String yql = "select documentid from mail where " + condition;
        String query =
                "/search/?timeout=60s&streaming.groupname=anna&hits=10&ranking=%s&question=%s&yql=%s%s"
                        .formatted(
                                profile,
                                URLEncoder.encode(question, UTF_8),
                                URLEncoder.encode(yql, UTF_8),
                                condition.contains("nearestNeighbor")
                                        ? "&input.query(q)=embed(@question)"
                                        : "");
        Http.Answer answer = http.get(server.container().resolve(query));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        List<String> found = new ArrayList<>();
        for (JsonNode hit : answer.body().get("root").path("children")) {
            found.add(hit.get("fields").get("documentid").asString());
        }
        return found;
    }

    private static double reciprocalRank(List<String> found, List<String> expected) {
        for (int i = 0; i < found.size(); i++) {
            if (expected.contains(found.get(i))) {
                return 1.0 / (i + 1);
            }
        }
        return 0;
    }
}
