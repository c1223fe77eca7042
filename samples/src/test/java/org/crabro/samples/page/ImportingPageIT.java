package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.ImportCommand;
import org.crabro.samples.fixture.PageCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the commands of the page on importing, with files of these names. */
class ImportingPageIT {
    private static final Pattern COMMAND = Pattern.compile("`crabro import ([\\w./-]+)`");
    private static final Pattern NOTE =
            Pattern.compile("```\n(---\n.*?\n---\n.*?)```", Pattern.DOTALL);

    /** The files, and a field that each gets. */
    private static final Map<String, List<String>> FILES =
            Map.of(
                    "mail.mbox",
                    List.of("From a@x Tue Jun  3 11:05:30 2008\nSubject: x\n\nd\n", "subject"),
                    "orders.csv",
                    List.of("item,price\ntent,1.5\n", "price"),
                    "events.jsonl",
                    List.of("{\"kind\": \"start\"}\n", "kind"),
                    "contacts.vcf",
                    List.of("BEGIN:VCARD\nFN:Ann\nEND:VCARD\n", "name"),
                    "calendar.ics",
                    List.of("BEGIN:VEVENT\nDTSTART:20240501T100000Z\nEND:VEVENT\n", "start"),
                    "chat.txt",
                    List.of("31.12.23, 22:05 - Ann: hi\n", "sender"),
                    "result.json",
                    List.of(
                            "{\"name\": \"Sea\", \"messages\": [{\"id\": 1, \"type\": \"message\","
                                    + " \"date\": \"2024-05-01T10:00:00\", \"from\": \"Ann\","
                                    + " \"text\": \"hi\"}]}",
                            "chat"));

    @TempDir private Path directory;

    private String dryRun(Path path) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status =
                new CommandLine(new ImportCommand())
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler(new CommandErrors())
                        .execute(
                                path.toString(),
                                "--dry-run",
                                "--package="
                                        + directory.resolve("package-of-" + path.getFileName()));
        assertThat(status).as("%s: %s%s", path, out, err).isZero();
        return out.toString();
    }

    @Test
    void importsAllThatThePageNames() throws IOException {
        String page = PageCommands.page("importing.md");
        Matcher note = NOTE.matcher(page);
        assertThat(note.find()).isTrue();
        Path notes = Files.createDirectories(directory.resolve("notes"));
        Files.writeString(notes.resolve("first.md"), note.group(1));
        List<String> commands = new ArrayList<>();
        COMMAND.matcher(page).results().forEach(each -> commands.add(each.group(1)));

        assertThat(commands).hasSizeGreaterThan(7);
        for (String path : commands) {
            List<String> file = FILES.get(path);
            if (file == null) {
                assertThat(path).isIn("notes/", "PATH", "slack-export/");
                continue;
            }
            Path written = Files.writeString(directory.resolve(path), file.getFirst());
            assertThat(dryRun(written)).as(path).contains("field " + file.getLast() + " type");
        }
        assertThat(dryRun(notes))
                .contains("field title type string")
                .contains("field date type long")
                .contains("field tags type array<string>");
    }
}
