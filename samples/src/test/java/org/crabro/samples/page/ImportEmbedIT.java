package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.ImportCommand;
import org.crabro.client.cli.QueryCommand;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Imports with a model, against a real server: words and meaning. */
class ImportEmbedIT {
    private static final Path MODELS = Path.of("commits/target/application/models");

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private CrabroServer server;
    private Path notes;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
        notes = Files.createDirectories(directory.resolve("notes"));
        note("boat.md", "# On the water\nWe sailed for three days, and slept in the harbour.");
        note("soup.md", "# Dinner\nLentils, carrots and a little vinegar.");
        note("tax.md", "# Papers\nThe income tax return is due in May.");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void note(String name, String text) throws IOException {
        Files.writeString(notes.resolve(name), text);
    }

    private int run(Object command, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(new CommandErrors())
                .execute(arguments);
    }

    private int imports(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                notes.toString(),
                                "--target=" + server.container(),
                                "--config=" + server.config(),
                                "--package=" + directory.resolve("package")));
        arguments.addAll(List.of(more));
        return run(new ImportCommand(), arguments.toArray(String[]::new));
    }

    private void imported(String... more) {
        assertThat(imports(more)).as("%s%n%s", out, err).isZero();
    }

    private void assertFinds(String words, String path) {
        assertThat(
                        run(
                                new QueryCommand(),
                                words,
                                "queryProfile=meaning_notes",
                                "-g",
                                "me",
                                "-n",
                                "1",
                                "--format=json",
                                "--target=" + server.container()))
                .as("%s%n%s", out, err)
                .isZero();
        assertThat(out.toString()).contains("\"" + path + "\"");
    }

    @Test
    void findsByWordsAndByMeaning() throws Exception {
        imported("--embed=" + MODELS);
        assertThat(out.toString())
                .contains("(part{}, x[384])")
                .contains("queryProfile=meaning_notes");

        assertFinds("lentils", "soup.md");
        assertFinds("a trip with a boat on the sea", "boat.md");
        assertFinds("government payments", "tax.md");

        note("garden.md", "# Outside\nTomatoes and beans need rain.");
        imported();
        assertThat(out.toString()).contains("1 new, 0 changed, 0 removed, 3 unchanged.");
        assertFinds("vegetables that grow", "garden.md");

        note(
                "hut.md",
                "---\nplace: a long way up in the hills, behind the second bridge\n---\nWe slept.");
        imported();
        assertThat(out.toString()).contains("gets them").contains("field place");
        assertFinds("a building in the mountains", "hut.md");
    }

    @Test
    void addsVectorsToASchemaThatNobodyHasEdited() throws Exception {
        imported();
        imported("--embed=" + MODELS);
        assertThat(out.toString())
                .contains("The data have more fields")
                .contains("+  rank-profile fused");
        note("boat.md", "# On the water\nWe sailed for three days.");
        imported("--embed=" + MODELS);
        assertFinds("a trip with a boat on the sea", "boat.md");
    }

    @Test
    void saysThatAnEditedSchemaHasNoVectors() throws Exception {
        imported();
        Path schema = directory.resolve("package/schemas/notes.sd");
        Files.writeString(
                schema, Files.readString(schema).replace("bm25(title)", "2 * bm25(title)"));

        imported("--embed=" + MODELS);
        assertThat(out.toString()).contains("has no vectors of the model").contains("--replace");

        imported("--embed=" + MODELS, "--replace");
        assertFinds("lentils", "soup.md");
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        Path empty = Files.createDirectories(directory.resolve("empty"));

        assertThat(imports("--embed=" + empty)).isEqualTo(1);
        assertThat(err.toString()).contains("no model: expected model.onnx");
        assertThat(imports("--embed=" + directory.resolve("absent"))).isEqualTo(1);
        assertThat(err.toString()).contains("no directory with a model");
        assertThat(imports("--embed=" + MODELS, "--no-deploy")).isEqualTo(2);
        assertThat(Files.exists(directory.resolve("package"))).isFalse();
    }
}
