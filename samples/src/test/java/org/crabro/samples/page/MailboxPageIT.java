package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.samples.fixture.ChatService;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedSection;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Follows the page on the mailbox, with a stand-in for the language model, and asks the questions
 * of the sample. The pages on answers and on tools use the same sample, so their commands run here
 * too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailboxPageIT {
    private static final Path SAMPLE =
            Path.of(System.getProperty("crabro.root")).resolve("samples/mailbox");

    /** The address of the language model in the sample and on the pages. */
    private static final String ENDPOINT = "http://127.0.0.1:11434/v1/";

    /** A line of the table: the profile, the condition, and the mean reciprocal rank. */
    private static final Pattern LINE =
            Pattern.compile("\\| `(\\w+)` \\| `(.*)` \\| ([0-9.]+) \\|\n");

    private static final Pattern ANSWERED = Pattern.compile("for (\\d+) of the 57 questions");

    @TempDir static Path data;
    @TempDir static Path temporary;

    private final Http http = new Http();
    private final List<String> outputs = new ArrayList<>();
    private ChatService service;
    private CrabroServer server;
    private PageCommands commands;
    private String page;

    @BeforeAll
    void runTheCommandsOfThePage() throws Exception {
        page = PageCommands.page("mailbox.md");
        List<ServedSection> sections = ServedSection.of(page);
        assertThat(sections).hasSize(2);
        // Nothing before the answers needs a language model: there is none yet.
        try (var alone = CrabroServer.start(sections.getFirst().settings(data))) {
            type(PageCommands.of(alone, temporary), sections.getFirst());
        }
        service = new ChatService();
        server = CrabroServer.start(sections.getLast().settings(data));
        commands = PageCommands.of(server, temporary).with(ENDPOINT, service.endpoint());
        type(commands, sections.getLast());
    }

    private void type(PageCommands typed, ServedSection section) throws Exception {
        for (PageCommands.Step step : section.steps()) {
            outputs.add(typed.type(step.command()));
        }
    }

    @Test
    void theChapterOnAnswersStartsTheServerThatCallsAService() {
        List<ServedSection> sections = ServedSection.of(page);

        assertThat(page.indexOf("--services")).isGreaterThan(page.indexOf("## Answers"));
        assertThat(sections.getFirst().services()).isEmpty();
        assertThat(sections.getFirst().steps()).hasSize(7);
        assertThat(sections.getLast().data()).isEqualTo(sections.getFirst().data());
    }

    @AfterAll
    void stop() {
        server.close();
        service.close();
        http.close();
    }

    @Test
    void answersAsThePageSays() {
        List<PageCommands.Step> steps = PageCommands.steps(page);

        assertThat(steps).hasSize(12);
        for (int i = 0; i < steps.size(); i++) {
            steps.get(i).require(outputs.get(i));
        }
    }

    @Test
    void ranksTheQuestionsAsThePageSays() throws Exception {
        List<MatchResult> lines = LINE.matcher(page).results().toList();

        assertThat(lines).hasSize(3);
        for (MatchResult line : lines) {
            double sum = 0;
            List<Question> questions = questions();
            for (Question question : questions) {
                int rank = rank(question, line.group(1), line.group(2));
                sum += rank == 0 ? 0 : 1.0 / rank;
            }
            assertThat(String.format(Locale.ROOT, "%.2f", sum / questions.size()))
                    .as(line.group())
                    .isEqualTo(line.group(3));
        }
    }

    @Test
    void aPromptHasAMailThatAnswersTheQuestionAsOftenAsThePageSays() throws Exception {
        MatchResult hybrid = LINE.matcher(page).results().toList().getLast();
        int answered = 0;
        for (Question question : questions()) {
            int rank = rank(question, hybrid.group(1), hybrid.group(2));
            answered += rank >= 1 && rank <= 3 ? 1 : 0;
        }

        assertThat(ANSWERED.matcher(page).results().map(count -> count.group(1)))
                .containsExactly(Integer.toString(answered));
    }

    @ParameterizedTest
    @CsvSource({"rag.md, 2", "mcp.md, 1"})
    void answersAsTheReferencePagesSay(String reference, int steps) throws Exception {
        assertThat(commands.run(PageCommands.page(reference))).isEqualTo(steps);
    }

    @ParameterizedTest
    @CsvSource({
        "rag.md, xml, application/services.xml",
        "rag.md, text, application/files/answer.txt",
        "mcp.md, xml, application/services.xml"
    })
    void thePagesShowTheFilesOfTheSample(String name, String language, String file)
            throws Exception {
        MatchResult shown =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                        .matcher(PageCommands.page(name))
                        .results()
                        .findFirst()
                        .orElseThrow();

        assertThat(stripped(Files.readString(SAMPLE.resolve(file))))
                .contains(stripped(shown.group(1)));
    }

    private static String stripped(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void theModelGetsTheBestChunksOfThePersonsMails() throws Exception {
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/search/?queryProfile=question&searchChain=answers&hits=3&timeout=60s"
                                                + "&streaming.groupname=anna&query=hotel+in+Vienna+with+breakfast"));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        String prompt = service.requests().getLast().at("/messages/0/content").asString();
        assertThat(prompt)
                .startsWith("You answer questions")
                .contains("document [1]:\nsender: hotel@example.com", "118 euros a night")
                .contains("document [3]:")
                .doesNotContain("document [4]:", "body: ", "Keplerplatz")
                .endsWith("Question: hotel in Vienna with breakfast\n");
    }

    /**
     * A question of the sample.
     *
     * @param mails the ids of the mails that answer it
     */
    private record Question(String text, Set<String> mails) {}

    private static List<Question> questions() throws Exception {
        var questions = new ArrayList<Question>();
        for (String line : Files.readAllLines(SAMPLE.resolve("questions.jsonl"))) {
            JsonNode json = Http.JSON.readTree(line);
            questions.add(
                    new Question(
                            json.get("question").asString(),
                            json.get("mails")
                                    .valueStream()
                                    .map(number -> "id:mail:mail:g=anna:" + number.asInt())
                                    .collect(Collectors.toSet())));
        }
        assertThat(questions).hasSize(57);
        return questions;
    }

    /** Returns the rank of the first of ten hits that answers a question, from 1; 0 for none. */
    private int rank(Question question, String profile, String condition) throws Exception {
        String query =
                "/search/?timeout=60s&streaming.groupname=anna&hits=10&ranking=%s&query=%s&yql=%s%s"
                        .formatted(
                                profile,
                                URLEncoder.encode(question.text(), UTF_8),
                                URLEncoder.encode(
                                        "select documentid from mail where " + condition, UTF_8),
                                condition.contains("nearestNeighbor")
                                        ? "&input.query(q)=embed(@query)"
                                        : "");
        Http.Answer answer = http.get(server.container().resolve(query));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        int rank = 0;
        for (JsonNode hit : answer.body().get("root").path("children")) {
            rank++;
            if (question.mails().contains(hit.get("fields").get("documentid").asString())) {
                return rank;
            }
        }
        return 0;
    }
}
