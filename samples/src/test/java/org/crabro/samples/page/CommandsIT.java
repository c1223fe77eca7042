package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.DeployCommand;
import org.crabro.client.cli.DocumentCommand;
import org.crabro.client.cli.ExitStatus;
import org.crabro.client.cli.ExplainCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.GroupCommand;
import org.crabro.client.cli.ImportCommand;
import org.crabro.client.cli.QueryCommand;
import org.crabro.client.cli.StatusCommand;
import org.crabro.client.cli.VisitCommand;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands, against a real server. */
class CommandsIT {
    private static final Path NOTES =
            Path.of(System.getProperty("crabro.root")).resolve("samples/notes");

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
    }

    @AfterEach
    void stop() {
        server.close();
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

    private String target() {
        return "--target=" + server.container();
    }

    private String config() {
        return "--config=" + server.config();
    }

    private int deployNotes() {
        return run(new DeployCommand(), NOTES.toString(), config());
    }

    @Test
    void deploysPackagesAndSaysWhatIsWrongWithThem() throws Exception {
        Path broken = Files.createDirectories(directory.resolve("broken"));
        Files.writeString(broken.resolve("services.xml"), "<services><content/></services>");

        assertThat(deployNotes()).isZero();
        assertThat(out.toString()).startsWith("Deployed: generation ");
        assertThat(run(new DeployCommand(), broken.toString(), config())).isEqualTo(1);
        assertThat(err.toString()).contains("answered 400)").contains("services.xml");
        assertThat(run(new DeployCommand(), directory.toString(), config())).isEqualTo(1);
        assertThat(err.toString()).contains("no package found");
    }

    @Test
    void printsTheStateOfBothPorts() {
        deployNotes();

        assertThat(run(new StatusCommand(), target(), config())).isZero();
        assertThat(out.toString()).contains("documents").contains("packages").contains("up");
        assertThat(run(new StatusCommand(), target(), config(), "--json")).isZero();
        assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("{\""));
        assertThat(run(new StatusCommand(), "--target=http://127.0.0.1:1", config())).isEqualTo(1);
        assertThat(
                        run(
                                new StatusCommand(),
                                "--target=http://127.0.0.1:1",
                                "--config=http://127.0.0.1:1"))
                .isEqualTo(ExitStatus.UNREACHABLE);
    }

    @Test
    void saysWhatToDoWhenNoServerAnswers() {
        String nowhere = "--target=http://127.0.0.1:1";
        List<List<Object>> calls =
                List.of(
                        List.of(new QueryCommand(), "select * from note where true"),
                        List.of(new FeedCommand(), NOTES.resolve("README.md").toString()),
                        List.of(new DocumentCommand(), "get", "id:home:note::1"));
        for (List<Object> call : calls) {
            List<String> arguments = new ArrayList<>();
            call.stream().skip(1).forEach(each -> arguments.add((String) each));
            arguments.add(nowhere);

            assertThat(run(call.getFirst(), arguments.toArray(String[]::new)))
                    .isEqualTo(ExitStatus.UNREACHABLE);
            assertThat(err.toString())
                    .contains("no server answers at http://127.0.0.1:1")
                    .contains("crabro serve");
        }
    }

    @Test
    void readsAndWritesSingleDocuments() throws Exception {
        deployNotes();
        String id = "id:home:note:g=a b:1/2+3";
        Path file = Files.writeString(directory.resolve("n.json"), "{\"fields\":{\"text\":\"x\"}}");

        assertThat(run(new DocumentCommand(), "get", id, target())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("there is no document " + id + "\n");
        assertThat(run(new DocumentCommand(), "put", id, "@" + file, target())).isZero();
        assertThat(run(new DocumentCommand(), "get", id, target())).isZero();
        assertThat(out.toString()).contains("\"text\":\"x\"");
        assertThat(
                        run(
                                new DocumentCommand(),
                                "remove",
                                id,
                                "--condition",
                                "note.text == \"y\"",
                                target()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("the condition does not hold");
        assertThat(run(new DocumentCommand(), "remove", id, target())).isZero();
        assertThat(run(new DocumentCommand(), "get", id, target())).isEqualTo(1);
        assertThat(run(new DocumentCommand(), "put", id, "{", target())).isEqualTo(2);
        assertThat(run(new DocumentCommand(), "get", "no id", target())).isEqualTo(2);
    }

    @Test
    void feedsCompressedFilesOneByOneAndInBulk() throws Exception {
        deployNotes();
        Path file = directory.resolve("feed.jsonl.gz");
        try (var gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 500; i++) {
                gzip.write(
                        "{\"put\":\"id:home:note:g=ann:%d\",\"fields\":{\"time\":%d}}%n"
                                .formatted(i % 400, i)
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }

        assertThat(run(new FeedCommand(), file.toString(), target())).isZero();
        assertThat(out.toString()).contains("\"feeder.ok.count\": 500,");
        assertThat(run(new FeedCommand(), file.toString(), target(), "--single")).isZero();
        assertThat(out.toString())
                .contains("\"feeder.ok.count\": 500,")
                .contains("\"feeder.inflight.count\": 0,");
        // The later put of a document won.
        assertThat(run(new DocumentCommand(), "get", "id:home:note:g=ann:50", target())).isZero();
        assertThat(out.toString()).contains("\"time\":450");
    }

    @Test
    void printsHitsAsJsonOrAsATable() throws Exception {
        deployNotes();
        String id = "id:home:note:g=ann:1";
        run(new DocumentCommand(), "put", id, "{\"text\":\"some words\",\"time\":5}", target());
        String yql = "select * from note where text contains @w";

        assertThat(run(new QueryCommand(), yql, "w=words", "-g", "ann", target())).isZero();
        assertThat(out.toString()).startsWith("{\"root\":").contains("\"totalCount\":1");
        assertThat(run(new QueryCommand(), yql, "w=words", "-g", "ann", "--table", target()))
                .isZero();
        assertThat(out.toString().lines().toList().get(1)).contains("1   some words  5");
        assertThat(run(new QueryCommand(), "select * frm note", "-g", "ann", target()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("answered 400)").contains("^");
        assertThat(run(new QueryCommand(), yql, "words", target())).isEqualTo(2);
    }

    private void putNote(String group, String text) {
        String id = "id:home:note:g=" + group + ":1";
        assertThat(
                        run(
                                new DocumentCommand(),
                                "put",
                                id,
                                "{\"text\":\"%s\",\"time\":5}".formatted(text),
                                target()))
                .isZero();
    }

    @Test
    void searchesWordsInTheOnlyGroup() {
        deployNotes();
        putNote("ann", "green tea, hot");

        assertThat(run(new QueryCommand(), "hot", "tea", "--format=table", target()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("green tea, hot")
                .contains("1 of 1 matching document of group ann");
        assertThat(run(new QueryCommand(), "cold", "tea", "--format=table", target())).isZero();
        assertThat(out.toString())
                .startsWith("no matching documents of group ann")
                .contains("\n1 document has some of these words, but none has all: type=any\n");
        assertThat(run(new QueryCommand(), "tea", "-t", "note", "--format=csv", target())).isZero();
        assertThat(out.toString()).startsWith("id,relevance,").contains(",\"green tea, hot\",5");
        assertThat(run(new QueryCommand(), "tea", "--group=anm", target())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("there is no group 'anm'; did you mean 'ann'?\n");
        assertThat(run(new ExplainCommand(), "select * from note where time > 3", target()))
                .isZero();
        assertThat(out.toString()).contains("1 of 1 document");
    }

    @Test
    void listsTheGroupsWhereThereAreSeveral() {
        deployNotes();
        putNote("ann", "green tea");
        putNote("ben", "black tea");

        assertThat(run(new QueryCommand(), "tea", target())).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString())
                .contains("There are 2 groups.", "--group NAME", "\n  ann  (1 document)\n")
                .doesNotContain("streaming.groupname");
        assertThat(run(new QueryCommand(), "tea", "--all-groups", target())).isZero();
        assertThat(out.toString()).contains("\"totalCount\":2");
        assertThat(run(new StatusCommand(), target(), config())).isZero();
        assertThat(out.toString())
                .contains("version  ")
                .containsPattern("note +2 +2 +ann \\(1\\), ben \\(1\\)");
    }

    @Test
    void checksAQueryBeforeARowIsPrinted() {
        deployNotes();
        putNote("ann", "green tea");

        assertThat(run(new QueryCommand(), "select * from note where true order by tiem", target()))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("there is no field to sort by 'tiem'; did you mean 'time'?");
        assertThat(out.toString()).isEmpty();
        assertThat(run(new QueryCommand(), "tea", "hist=3", target())).isEqualTo(1);
        assertThat(err.toString()).contains("did you mean 'hits'?");
    }

    @Test
    void visitsInSlicesAndContinues() throws Exception {
        deployNotes();
        for (int i = 0; i < 20; i++) {
            String id = "id:home:note:g=u" + i + ":1";
            run(new DocumentCommand(), "put", id, "{\"time\":" + i + "}", target());
        }
        Path output = directory.resolve("out.jsonl");
        Path state = directory.resolve("out.position");

        assertThat(
                        run(
                                new VisitCommand(),
                                "home",
                                "note",
                                "--slices=3",
                                "--selection=note.time >= 10",
                                "--output=" + output,
                                "--progress=" + state,
                                target()))
                .isZero();
        assertThat(Files.readAllLines(output)).hasSize(10).doesNotHaveDuplicates();
        assertThat(state).doesNotExist();
        assertThat(run(new VisitCommand(), "--cluster=notes", "--output=" + output, target()))
                .isZero();
        assertThat(Files.readAllLines(output)).hasSize(20);
        assertThat(run(new VisitCommand(), "home", target())).isEqualTo(2);
        assertThat(
                        run(
                                new VisitCommand(),
                                "--type=note",
                                "--group=u7",
                                "--output=" + output,
                                target()))
                .isZero();
        assertThat(Files.readString(output)).hasLineCount(1).contains("id:home:note:g=u7:1");
        assertThat(run(new VisitCommand(), "--type=nots", target())).isEqualTo(1);
        assertThat(err.toString()).contains("did you mean 'note'?");
        assertThat(run(new GroupCommand(), "list", "--type=note", "--limit=5", target())).isZero();
        assertThat(out.toString().lines()).hasSize(5).allMatch(line -> line.endsWith("\t1\tnote"));
    }

    @Test
    void importsIntoAnEmptyServerAndNextToAnApplication() throws Exception {
        Path notes = Files.createDirectories(directory.resolve("notes"));
        Files.writeString(notes.resolve("a.md"), "# Garden\nWater the tomatoes, order tomatoes");
        Files.writeString(notes.resolve("b.txt"), "Buy tomatoes");
        Path table = directory.resolve("people.csv");
        Files.writeString(
                table, "id,name,from,born\n7,Ann,Oslo,1990-05-01\n8,Ben,Bergen,1985-01-02\n");

        assertThat(imports(notes)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("field text type string")
                .contains("2 documents stored in group me")
                .contains("crabro query 'select * from notes where userInput(\"tomatoes\")'")
                .contains("2 matching documents");
        assertThat(imports(table)).isZero();
        assertThat(out.toString())
                .contains("field born type long")
                .contains("2 documents stored in group me");
        assertThat(run(new DocumentCommand(), "get", "id:people:people:g=me:7", target())).isZero();
        assertThat(out.toString())
                .contains("\"from_field\":\"Oslo\"")
                .contains("\"born\":641520000");
        // The first type is still there.
        assertThat(run(new QueryCommand(), "select * from notes where true", "-g", "me", target()))
                .isZero();
        assertThat(out.toString()).contains("\"totalCount\":2");
    }

    @Test
    void importsObjectsInObjectsAsFieldsThatAreSearched() throws Exception {
        Path events = directory.resolve("events.jsonl");
        Files.writeString(
                events,
                """
                {"id":"1","payload":{"issue":{"title":"Leaking tap"},"size":3,"mixed":[[1],{"a":"basin"}]},\
                "items":[{"name":"red pen","price":2},{"name":"blue ink","price":9}]}
                {"id":"2","payload":{"issue":{"title":"Broken lamp"},"size":5,"big":18446744073709551615},\
                "items":[{"name":"green pen","price":8}]}
                """);

        assertThat(imports(events)).as(err.toString()).isZero();

        assertThat(count("payload_issue_title contains 'tap'")).isOne();
        assertThat(count("userInput('lamp')")).isOne();
        assertThat(count("userInput('basin')")).isOne();
        assertThat(count("userInput('pen')")).isEqualTo(2);
        assertThat(count("payload_size > 3")).isOne();
        assertThat(count("items.name contains 'ink'")).isOne();
        assertThat(count("items contains sameElement(name contains 'pen', price > 5)")).isOne();
        assertThat(count("payload_big contains '18446744073709551615'")).isOne();
        assertThat(
                        run(
                                new QueryCommand(),
                                "select * from events where true limit 0 | all(group(payload_size)"
                                        + " each(output(count())))",
                                "-g",
                                "me",
                                target()))
                .isZero();
        assertThat(out.toString()).contains("\"value\":\"3\"").contains("\"value\":\"5\"");
    }

    private int count(String condition) {
        assertThat(
                        run(
                                new QueryCommand(),
                                "select * from events where " + condition,
                                "-g",
                                "me",
                                target()))
                .as(err.toString())
                .isZero();
        return Integer.parseInt(out.toString().replaceAll("(?s).*\"totalCount\":(\\d+).*", "$1"));
    }

    @Test
    void endsWithStatus1AfterAnImportWithLosses() throws Exception {
        Path table = Files.writeString(directory.resolve("people.csv"), "id,name\n7,Ann\f\n");

        assertThat(imports(table)).isEqualTo(1);
        assertThat(out.toString()).contains("1 documents stored in group me");
        assertThat(err.toString()).contains("name: characters that no text of a document can have");
        assertThat(imports(table, "--lossy")).isZero();
    }

    @Test
    void usesAPackageThatExists() throws Exception {
        Path table = directory.resolve("people.csv");
        Files.writeString(table, "id,born\n7,1990-05-01\n");
        assertThat(imports(table, "--dry-run")).isZero();
        Path schema = directory.resolve("people-package/schemas/people.sd");
        Files.writeString(
                schema,
                Files.readString(schema).replace("field id type long", "field id type int"));

        assertThat(imports(table)).isZero();
        assertThat(out.toString()).contains("is used as it is");
        assertThat(Files.readString(schema)).contains("field id type int");
    }

    private int imports(Path path, String... more) {
        String type = path.getFileName().toString().replaceAll("\\..*", "");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                path.toString(),
                                target(),
                                config(),
                                "--package=" + directory.resolve(type + "-package")));
        arguments.addAll(List.of(more));
        return run(new ImportCommand(), arguments.toArray(String[]::new));
    }
}
