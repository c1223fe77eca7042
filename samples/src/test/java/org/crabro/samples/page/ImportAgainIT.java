package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.DeployCommand;
import org.crabro.client.cli.DocumentCommand;
import org.crabro.client.cli.ImportCommand;
import org.crabro.client.cli.QueryCommand;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A second import of a source, against a real server. */
class ImportAgainIT {
    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private CrabroServer server;
    private Path notes;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
        notes = Files.createDirectories(directory.resolve("notes"));
        note("a.md", "apple");
        note("b.md", "banana");
        note("c.md", "cherry");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void note(String name, String text) throws IOException {
        Path file = notes.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
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

    private int imports(Path path, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                path.toString(),
                                "--target=" + server.container(),
                                "--config=" + server.config()));
        arguments.addAll(List.of(more));
        if (arguments.stream().noneMatch(each -> each.startsWith("--package"))) {
            arguments.add("--package=" + directory.resolve("package"));
        }
        return run(new ImportCommand(), arguments.toArray(String[]::new));
    }

    private void imported(Path path, String... more) {
        assertThat(imports(path, more)).as("%s%n%s", out, err).isZero();
    }

    private long count(String type) {
        assertThat(
                        run(
                                new QueryCommand(),
                                "select * from " + type + " where true",
                                "-g",
                                "me",
                                "--target=" + server.container()))
                .as(err.toString())
                .isZero();
        return Long.parseLong(out.toString().replaceAll("(?s).*\"totalCount\":(\\d+).*", "$1"));
    }

    private Path schema() {
        return directory.resolve("package/schemas/notes.sd");
    }

    private void edit(String from, String to) throws IOException {
        String before = Files.readString(schema());
        assertThat(before).contains(from);
        Files.writeString(schema(), before.replace(from, to));
    }

    @Test
    void feedsWhatHasChangedAndRemovesWhatIsGone() throws Exception {
        imported(notes);
        assertThat(out.toString())
                .contains("Documents are named by their paths")
                .contains("3 new, 0 changed, 0 removed, 0 unchanged.");

        imported(notes);
        assertThat(out.toString())
                .contains("0 documents stored")
                .contains("0 new, 0 changed, 0 removed, 3 unchanged.");

        note("b.md", "blueberry, quite another text");
        note("d/e.md", "elderberry");
        Files.delete(notes.resolve("c.md"));
        imported(notes);
        assertThat(out.toString())
                .contains("2 documents stored")
                .contains("1 new, 1 changed, 1 removed, 1 unchanged.");
        assertThat(count("notes")).isEqualTo(3);
        assertThat(out.toString())
                .contains("blueberry")
                .contains("elderberry")
                .doesNotContain("cherry")
                .as("the mark is not shown")
                .doesNotContain("import_mark");
    }

    /** An older import has made the package and the application, without tools for assistants. */
    @Test
    void bindsTheToolsWhenTheSchemaIsMadeAnew() throws Exception {
        Path services = directory.resolve("package/services.xml");
        imported(notes);
        String made = Files.readString(services);
        String older = made.replaceAll("(?s) *<!-- Tools.*?</handler>\n", "");
        assertThat(older).doesNotContain("mcp").contains("</container>");
        Files.writeString(services, older);
        assertThat(
                        run(
                                new DeployCommand(),
                                directory.resolve("package").toString(),
                                "--config=" + server.config()))
                .isZero();

        imported(notes);
        assertThat(services).content().isEqualTo(older);
        assertThat(toolsStatus()).isEqualTo(404);

        imported(notes, "--replace");
        assertThat(out.toString()).contains("gets the tools for assistants");
        assertThat(services).content().isEqualTo(made);
        assertThat(toolsStatus()).isNotEqualTo(404);
        assertThat(count("notes")).isEqualTo(3);

        imported(notes, "--replace");
        assertThat(out.toString()).doesNotContain("gets the tools for assistants");
        assertThat(services).content().isEqualTo(made);
    }

    private int toolsStatus() throws Exception {
        try (var http = new Http()) {
            return http.post(
                            server.container().resolve("/mcp"),
                            "application/json",
                            "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .status();
        }
    }

    /** Nobody asked for tools in a package that no import has made. */
    @Test
    void leavesServicesThatNoImportHasMade() throws Exception {
        imported(notes, "--no-deploy", "--dry-run");
        Path services = directory.resolve("package/services.xml");
        String own =
                Files.readString(services)
                        .replaceAll("(?s) *<!-- Tools.*?</handler>\n", "")
                        .replace("\"imports\"", "\"own\"");
        Files.writeString(services, own);

        imported(notes, "--replace");
        assertThat(services).content().isEqualTo(own);
        assertThat(toolsStatus()).isEqualTo(404);
    }

    @Test
    void keepsWhatIsGoneIfTheUserWants() throws Exception {
        imported(notes);
        Files.delete(notes.resolve("c.md"));

        imported(notes, "--keep-deleted");

        assertThat(out.toString())
                .contains(
                        "0 new, 0 changed, 0 removed, 2 unchanged, 1 that the source does not have are kept.");
        assertThat(count("notes")).isEqualTo(3);
        imported(notes);
        assertThat(out.toString()).contains("1 removed");
        assertThat(count("notes")).isEqualTo(2);
    }

    @Test
    void removesNoDocumentOfAnotherSourceOrOfAUser() throws Exception {
        imported(notes);
        Path more = Files.createDirectories(directory.resolve("more \"notes\""));
        Files.writeString(more.resolve("x.md"), "x-ray");
        Files.writeString(more.resolve("y.md"), "yellow");
        imported(more, "--type=notes");
        assertThat(out.toString()).contains("2 new, 0 changed, 0 removed, 0 unchanged.");
        Path put =
                Files.writeString(directory.resolve("p.json"), "{\"fields\":{\"text\":\"mine\"}}");
        Path lie =
                Files.writeString(
                        directory.resolve("q.json"),
                        "{\"fields\":{\"import_mark\":\"0123456789abcdeg /x\"}}");
        put("id:notes:notes:g=me:by-hand", put);
        put("id:notes:notes:g=me:damaged", lie);

        Files.delete(notes.resolve("a.md"));
        imported(notes);
        assertThat(out.toString()).contains("0 new, 0 changed, 1 removed, 2 unchanged.");
        assertThat(count("notes")).isEqualTo(6);

        // The name of this source has quotes, which a condition of a removal contains.
        Files.delete(more.resolve("y.md"));
        imported(more, "--type=notes");
        assertThat(out.toString()).contains("0 new, 0 changed, 1 removed, 1 unchanged.");
        assertThat(count("notes")).isEqualTo(5);
    }

    private void put(String id, Path file) {
        assertThat(
                        run(
                                new DocumentCommand(),
                                "put",
                                id,
                                "@" + file,
                                "--target=" + server.container()))
                .as(err.toString())
                .isZero();
    }

    @Test
    void printsTheCommandsThatSolveAConflictOfNames() throws Exception {
        imported(notes);
        Path moved = Files.move(notes, directory.resolve("moved"));
        Files.delete(moved.resolve("c.md"));

        assertThat(imports(moved, "--type=notes")).isEqualTo(1);
        assertThat(err.toString())
                .contains("2 documents from " + directory.toRealPath().resolve("notes"))
                .contains("Nothing was changed.")
                .contains("--source " + directory.toRealPath().resolve("notes"))
                .contains("--type notes_2");
        assertThat(count("notes")).isEqualTo(3);

        imported(moved, "--type=notes", "--source=" + directory.toRealPath().resolve("notes"));
        assertThat(out.toString()).contains("0 new, 0 changed, 1 removed, 2 unchanged.");
    }

    @Test
    void continuesAnImportThatEndedHalfWay() throws Exception {
        Path table = directory.resolve("people.jsonl");
        Files.writeString(table, "{\"id\":\"1\",\"n\":1}\n{\"id\":\"2\",\"n\":2}\n");
        imported(table);
        Files.writeString(table, "{\"id\":\"3\",\"n\":3}\n{\"id\":\"2\",\"n\":\n");
        assertThat(imports(table)).isEqualTo(1);
        assertThat(count("people")).as("nothing is removed").isEqualTo(2);

        Files.writeString(table, "{\"id\":\"3\",\"n\":3}\n{\"id\":\"2\",\"n\":2}\n");
        imported(table);

        assertThat(out.toString()).contains("1 new, 0 changed, 1 removed, 1 unchanged.");
        assertThat(count("people")).isEqualTo(2);
    }

    @Test
    void usesASchemaThatWasEditedInThePackage() throws Exception {
        imported(notes);
        edit(
                "field title type string {\n      indexing: summary | index",
                "field title type string {\n      indexing: summary");
        edit("bm25(path) + bm25(title) + bm25(text)", "bm25(text)");
        edit("fields: path, title, text", "fields: path, text");

        imported(notes);
        assertThat(out.toString())
                .contains("is used as it is")
                .contains("Deployed to")
                .contains("3 unchanged");
        // Editing and importing again is no conflict.
        edit("field text type string", "# my comment\n    field text type string");
        imported(notes);
        assertThat(out.toString()).contains("is used as it is").contains("Deployed to");
        imported(notes);
        assertThat(out.toString()).contains("is used as it is").doesNotContain("Deployed to");

        imported(notes, "--replace");
        assertThat(out.toString()).contains("It changes:").contains("-    # my comment");
        assertThat(Files.readString(schema())).doesNotContain("my comment");
    }

    @Test
    void usesASchemaThatWasEditedOnTheServer() throws Exception {
        imported(notes, "--dry-run");
        edit(
                "field title type string {\n      indexing: summary | index",
                "field heading type string {\n      indexing: summary | index");
        edit("fields: path, title, text", "fields: path, heading, text");
        edit("bm25(path) + bm25(title) + bm25(text)", "bm25(text)");
        assertThat(
                        run(
                                new DeployCommand(),
                                directory.resolve("package").toString(),
                                "--config=" + server.config()))
                .as(err.toString())
                .isZero();

        imported(notes, "--package=" + directory.resolve("elsewhere"));

        assertThat(out.toString())
                .contains("The deployed schema of notes is used as it is.")
                .contains("The schema of notes lacks fields for title; these are left out.")
                .contains("--replace")
                .contains("3 new");
        assertThat(directory.resolve("elsewhere")).doesNotExist();

        // Now both are edited.
        edit("field heading", "field head");
        edit("path, heading", "path, head");
        assertThat(imports(notes)).isEqualTo(1);
        assertThat(err.toString())
                .contains("were both edited")
                .contains("-    field heading type string {")
                .contains("+    field head type string {")
                .contains("--schema " + schema())
                .contains("--no-deploy")
                .contains("--replace");
        imported(notes, "--schema=" + schema());
        assertThat(out.toString()).contains("Deployed to");
        imported(notes);
        assertThat(out.toString()).contains("is used as it is");
    }

    @Test
    void addsFieldsToASchemaThatNobodyHasEdited() throws Exception {
        Path table = directory.resolve("t.jsonl");
        Files.writeString(table, "{\"id\":\"1\",\"n\":1}\n");
        imported(table);
        Files.writeString(table, "{\"id\":\"1\",\"n\":1}\n{\"id\":\"2\",\"m\":2}\n");

        imported(table);

        assertThat(out.toString())
                .contains("The data have more fields.")
                .contains("+    field m type long {")
                .contains("1 new, 0 changed, 0 removed, 1 unchanged.");
    }

    @Test
    void saysWhatASchemaWithoutMarksMeans() throws Exception {
        imported(notes, "--dry-run");
        String text = Files.readString(schema());
        Files.writeString(
                schema(), text.replaceAll("(?s)    # Written by crabro import.*?\n    }\n", ""));
        imported(notes);
        assertThat(out.toString())
                .contains("has no field import_mark: all documents are sent, and none is removed")
                .contains("3 documents stored");
        Files.delete(notes.resolve("a.md"));
        imported(notes);
        assertThat(out.toString()).contains("2 documents stored");
        assertThat(count("notes")).isEqualTo(3);
    }

    @Test
    void followsADirectory() throws Exception {
        Thread following =
                Thread.ofPlatform().name("following").start(() -> imports(notes, "--watch"));
        try {
            awaitOutput("Waiting for changes of");
            note("new/d.md", "date");
            awaitOutput("1 new, 0 changed, 0 removed, 3 unchanged.");
            Files.delete(notes.resolve("a.md"));
            awaitOutput("0 new, 0 changed, 1 removed, 3 unchanged.");
        } finally {
            following.interrupt();
            following.join();
        }
        assertThat(count("notes")).isEqualTo(3);
    }

    private void awaitOutput(String text) {
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> assertThat(out.toString()).contains(text));
    }

    @Test
    void namesRowsByAColumn() throws Exception {
        Path table = directory.resolve("products.csv");
        Files.writeString(table, "sku,price\nx1,1.5\nx2,2.5\n");
        imported(table, "--id=sku");
        assertThat(out.toString()).contains("Documents are named by 'sku'");
        Files.writeString(table, "sku,price\nx0,0.5\nx1,1.5\nx2,3.5\n");
        imported(table, "--id=sku");
        assertThat(out.toString()).contains("1 new, 1 changed, 0 removed, 1 unchanged.");

        Files.writeString(table, "sku,price\nx1,1.5\nx1,3.5\n");
        assertThat(imports(table, "--id=sku")).isEqualTo(1);
        assertThat(err.toString()).contains("line 3 has the value of an earlier record");
    }
}
