package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SignificanceCommandTest {
    private static final String NOTES =
            """
            {"put":"id:n:note::1","fields":{"title":"Red red whale","body":["a red b","Ａ"],"n":7}}
            {"fields":{"title":"blue whale","more":{"k":"deep"},"no":null},"put":"id:n:note::2"}
            {"update":"id:n:note::2","fields":{"title":{"assign":"red"}}}
            {"remove":"id:n:note::1"}
            """;

    private final StringWriter err = new StringWriter();

    @TempDir private Path directory;

    private int run(String documents, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("notes.jsonl"), documents, UTF_8);
        String[] arguments = new String[3 + more.length];
        arguments[0] = file.toString();
        arguments[1] = "--output";
        arguments[2] = output().toString();
        System.arraycopy(more, 0, arguments, 3, more.length);
        return new CommandLine(new SignificanceCommand())
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler((failure, command, _) -> {
                    command.getErr().println(failure.getMessage());
                    return 1;
                })
                .execute(arguments);
    }

    private Path output() {
        return directory.resolve("model.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    --least 1               | words of all texts   | "en" | "a":1,"b":1,"blue":1,"red":1,"whale":2
                    --least 2               | words of all texts   | "en" | "whale":2
                    --least 1 --field title | words of title       | "en" | "blue":1,"red":1,"whale":2
                    --least 1 --field body --field title | words of body, title | "en" | "a":1,"b":1,"blue":1,"red":1,"whale":2
                    --field n               | words of n           | "en" | ``
                    --language de,un        | words of all texts   | "de,un" | "whale":2
                    """)
    void countsDocumentsOfWords(String options, String description, String language, String words)
            throws IOException {
        assertThat(run(NOTES, options.split(" ", -1))).as(err.toString()).isZero();
        assertThat(output())
                .hasContent(
                        "{\"version\":\"1.0\",\"id\":\"crabro\",\"description\":\"%s\",\"languages\":{%s:{\"document-count\":2,\"document-frequencies\":{%s}}}}\n"
                                .formatted(description, language, words));
    }

    @Test
    void printsTheCounts() throws IOException {
        assertThat(run(NOTES)).isZero();
        assertThat(err.toString())
                .isEqualTo(
                        """
                        2 documents, 5 words, 4 of them in fewer than 2 and left out
                        2 operations are no puts, and not counted
                        """);
    }

    @Test
    void readsArraysAndWhatVisitsWrite() throws IOException {
        String array =
                """
                [{"id":"id:n:note::1","fields":{"t":"a"}},
                {"put":"id:n:note::2"}]
                {"continuation":{"percentFinished":100.0}}
                {"sessionStats":{"documentCount":2}}
                """;

        assertThat(run(array, "--least", "1")).as(err.toString()).isZero();
        assertThat(Files.readString(output()))
                .contains("\"document-count\":2,\"document-frequencies\":{\"a\":1}");
    }

    @Test
    void compressesWhatItWrites() throws IOException {
        assertThat(run(NOTES, "--id", "plain")).isZero();
        byte[] plain = Files.readAllBytes(output());

        assertThat(run(NOTES, "--id", "plain", "--zst")).isZero();

        byte[] packed = Files.readAllBytes(output());
        assertThat(packed).isNotEqualTo(plain);
        try (var unpacked = new ZstdInputStream(new ByteArrayInputStream(packed))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(plain);
        }
    }

    @Test
    void leavesOutWhatIsTooLongForAWord() throws IOException {
        String longest = "x".repeat(DocumentWords.LONGEST);

        assertThat(
                        run(
                                "{\"put\":\"id:n:note::1\",\"fields\":{\"t\":\"%s %sx\"}}"
                                        .formatted(longest, longest),
                                "--least",
                                "1"))
                .isZero();
        assertThat(Files.readString(output())).contains("{\"" + longest + "\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                                  |                   | 1 | there are no documents: nothing was put
                    {"remove":"id:n:note::1"}           |                   | 1 | there are no documents: nothing was put
                    {"put":"id:n:note::1","fields":{"a":"x","b":1}} | --field text | 1 | no document has a field 'text'; there are a, b
                    {"fields":{}}                       |                   | 1 | line 1, column 13: expected an operation with put, update or remove
                    {"put":"id:n:note::1","fields":[]}  |                   | 1 | line 1, column 32: expected fields, an object
                    7                                   |                   | 1 | line 1, column 1: expected an operation, an object
                    {"put":"id:n:note::1","fields":{    |                   | 1 | line 1, column 33: Unexpected end-of-input
                    {"put":"id:n:note::1"}              | --least 0         | 2 | --least is below 1
                    {"put":"id:n:note::1"}              | --language de;en  | 2 | --language: expected a tag such as en, or en,un
                    """)
    void saysWhatIsWrongAndWritesNothing(
            String documents, String options, int status, String message) throws IOException {
        String[] more = options == null ? new String[0] : options.split(" ", -1);

        assertThat(run(documents, more)).isEqualTo(status);
        assertThat(err.toString()).contains(message);
        assertThat(output()).doesNotExist();
        assertThat(directory.resolve("model.json.part")).doesNotExist();
    }
}
