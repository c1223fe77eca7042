package org.crabro.samples.rank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.luben.zstd.Zstd;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.client.cli.SignificanceCommand;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What the page on ranking says of significance models, and what it leaves to be computed. */
class SignificanceIT {
    private static final Pattern CHAPTER =
            Pattern.compile("## Significance models\n(.*?)\n## ", Pattern.DOTALL);
    private static final Pattern ROW =
            Pattern.compile("\\| `(text contains.*)` \\| (.*) \\| (.*) \\|");
    private static final double ROUNDED = 5e-5;

    @TempDir private Path directory;

    private ServedPackage served;
    private String chapter = "";

    @BeforeEach
    void start() throws Exception {
        Matcher heading = CHAPTER.matcher(PageCommands.page("ranking.md"));
        assertThat(heading.find()).isTrue();
        chapter = heading.group(1);
        String schema =
                """
                schema note {
                  document note {
                    field text type string { indexing: index | summary }
                  }
                %s
                  rank-profile plain inherits counted { significance { use-model: false } }
                }
                """
                        .formatted(block("sd"));
        served =
                new ServedPackage(
                        TestSettings.onAnyPorts(directory.resolve("data")),
                        Map.of("schemas/note.sd", schema));
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private String block(String kind) {
        Matcher block =
                Pattern.compile("```" + kind + "\n(.*?)```", Pattern.DOTALL).matcher(chapter);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    /** Deploys the package with this section, and feeds one note. */
    private void deploy(String search) throws Exception {
        served.deploy(NotesApplication.SERVICES.replace("<search/>", search));
        served.note("group/ann/1", "\"text\":\"The whale meeting\"");
    }

    private ServedPackage.Answer asked(String where, String parameters) throws Exception {
        return served.search(
                "ann",
                "select * from note where " + where,
                parameters.contains("&ranking=") ? parameters : parameters + "&ranking=counted");
    }

    private JsonNode features(String where, String parameters) throws Exception {
        ServedPackage.Answer answer = asked(where, parameters);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().get("root").get("children").get(0).get("fields").get("matchfeatures");
    }

    private static double value(JsonNode features, String name) {
        return features.get(name).asDouble();
    }

    @Test
    void ranksAsThePageSays() throws Exception {
        served.add("models/mails.json", block("json").getBytes(UTF_8));
        deploy(block("xml"));
        int rows = 0;
        for (Matcher row = ROW.matcher(chapter); row.find(); rows++) {
            JsonNode features = features(row.group(1), "");

            assertThat(value(features, "bm25(text)"))
                    .as(row.group())
                    .isCloseTo(Double.parseDouble(row.group(2)), within(ROUNDED));
            assertThat(value(features, "term(0).significance"))
                    .as(row.group())
                    .isCloseTo(Double.parseDouble(row.group(3)), within(ROUNDED));
        }

        assertThat(rows).isEqualTo(5);
    }

    /**
     * A word in n of N documents: bm25 is ln(1 + (N - n + 0.5) / (n + 0.5)), as the text is of
     * average length, and significance 1 - log10(n / N * 1e6) / 12. In what is searched each word
     * is in one of one.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    3  | 10   | &language=en
                    3  | 10   | ''
                    1  | 7    | &language=de
                    1  | 7    | &model.locale=de_CH
                    1  | 1    | &language=de&ranking.significance.useModel=false
                    1  | 1    | &ranking=plain
                    3  | 10   | &ranking=plain&ranking.significance.useModel=true
                    """)
    void laterFilesHaveALanguageAndCompressedOnesAreRead(
            int documents, int total, String parameters) throws Exception {
        served.add("models/a.json", frequencies("\"en\"", 20, 2).getBytes(UTF_8));
        served.add("models/b.json.zst", Zstd.compress(frequencies("\"de\"", 7, 0).getBytes(UTF_8)));
        served.add("models/c.json", frequencies("\"en\"", 10, 3).getBytes(UTF_8));
        deploy(
                "<search><significance><model path='models/a.json'/><model path='models/b.json.zst'/>"
                        + "<model path='models/c.json'/></significance></search>");

        JsonNode features = features("text contains 'whale'", parameters);

        assertThat(value(features, "bm25(text)"))
                .isCloseTo(
                        Math.log(1 + (total - documents + 0.5) / (documents + 0.5)), within(1e-6));
        assertThat(value(features, "term(0).significance"))
                .isCloseTo(1 - Math.log10((double) documents / total * 1e6) / 12, within(1e-6));
    }

    private static String frequencies(String language, int total, int documents) {
        return "{\"languages\":{%s:{\"document-count\":%d,\"document-frequencies\":{\"whale\":%d}}}}"
                .formatted(language, total, documents);
    }

    @Test
    void theCommandMakesTheModelThatThePageShows() throws Exception {
        Path notes = Files.writeString(directory.resolve("notes.jsonl"), block("jsonl"));
        Path models = Files.createDirectories(directory.resolve("models"));
        Matcher command = Pattern.compile("`bin/crabro significance (notes.*?)`").matcher(chapter);
        assertThat(command.find()).isTrue();
        String[] words =
                command.group(1)
                        .replace("notes.jsonl", notes.toString())
                        .replace("models/", models + "/")
                        .split(" ", -1);
        var line =
                new CommandLine(new SignificanceCommand())
                        .setErr(new PrintWriter(new StringWriter()));

        assertThat(line.execute(words)).isZero();
        assertThat(models.resolve("notes.json")).hasContent(block("text"));
        words[words.length - 1] += ".zst";
        assertThat(
                        line.execute(
                                Stream.concat(Stream.of(words), Stream.of("--zst"))
                                        .toArray(String[]::new)))
                .isZero();
        served.add("models/notes.json.zst", Files.readAllBytes(models.resolve("notes.json.zst")));
        deploy(
                "<search><significance><model path='models/notes.json.zst'/></significance></search>");
        assertThat(value(features("text contains 'the'", ""), "bm25(text)"))
                .isCloseTo(Math.log(1 + 1.5 / 2.5), within(1e-6));
    }

    @Test
    void aLanguageWithoutAModelIsRefused() throws Exception {
        served.add("models/mails.json", block("json").getBytes(UTF_8));
        deploy(block("xml"));

        ServedPackage.Answer answer = asked("text contains 'whale'", "&language=fr");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.toString())
                .contains("there is no significance model for language 'fr', only for [en]");
    }
}
