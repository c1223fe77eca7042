package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Types what pages say, and compares the answers with those on the page. */
class GettingStartedIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** A command, then the answer. */
    private static final Pattern STEP =
            Pattern.compile("```sh\n(.*?)```\n\n```json\n(.*?)```\n", Pattern.DOTALL);

    @TempDir Path data;

    private record Step(String command, JsonNode answer) {}

    @Test
    void answersAsThePageForBeginnersSays() throws Exception {
        answersAsOnThePage(steps("getting-started.md"));
    }

    @Test
    void answersAsThePageOnDocumentsSays() throws Exception {
        var steps = new ArrayList<Step>();
        // The application that both are about.
        steps.add(steps("getting-started.md").getFirst());
        steps.addAll(steps("documents.md"));
        answersAsOnThePage(steps);
    }

    @Test
    void answersAsThePageOnGroupingSays() throws Exception {
        answersAsOnThePage(steps("grouping.md"));
    }

    @Test
    void answersAsThePageOnReindexingSays() throws Exception {
        answersAsOnThePage(steps("reindexing.md"));
    }

    private void answersAsOnThePage(List<Step> steps) throws Exception {
        var answers = new ArrayList<JsonNode>();
        try (var server = CrabroServer.start(ServerSettings.onAnyPorts(data))) {
            for (Step step : steps) {
                answers.add(Http.JSON.readTree(type(step.command(), server)));
            }
        }

        assertThat(answers)
                .hasSizeGreaterThan(5)
                .containsExactlyElementsOf(steps.stream().map(Step::answer).toList());
    }

    private static List<Step> steps(String page) throws IOException {
        var steps = new ArrayList<Step>();
        Matcher matcher = STEP.matcher(Files.readString(ROOT.resolve("docs").resolve(page)));
        while (matcher.find()) {
            steps.add(new Step(matcher.group(1), Http.JSON.readTree(matcher.group(2))));
        }
        return steps;
    }

    private static String type(String command, CrabroServer server)
            throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                command.replace(
                                                "http://127.0.0.1:8080",
                                                server.container().toString())
                                        .replace(
                                                "http://127.0.0.1:19071",
                                                server.config().toString()))
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said).isZero();
        return said;
    }
}
