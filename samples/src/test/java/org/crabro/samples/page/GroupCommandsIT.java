package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.cli.GroupCommand;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line's commands for groups, against a real server. */
class GroupCommandsIT {
    private static final int NOTES = 3_000;

    @TempDir private Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        served = new ServedPackage(data.resolve("data")).deployed();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < NOTES; i++) {
            lines.add(
                    "{\"put\":\"id:ns:note:g=a b/c:%d\",\"fields\":{\"year\":%d,\"text\":\"Nöte\",\"place\":[0.1,%d]}}"
                            .formatted(i, i, i));
        }
        lines.add("{\"put\":\"id:ns:note:g=other:1\",\"fields\":{\"year\":1}}");
        lines.add("{\"put\":\"id:ns:note:n=77:1\",\"fields\":{\"year\":1}}");
        served.feed(lines);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--target");
        all.add(served.container("/").toString());
        return new CommandLine(new GroupCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    private List<String> listed(String... more) {
        List<String> arguments = new ArrayList<>(List.of("list", "ns", "note"));
        arguments.addAll(List.of(more));
        assertThat(run(arguments.toArray(String[]::new))).as(err.toString()).isZero();
        return out.toString().lines().map(line -> line.replaceAll("\t[0-9]+$", "")).toList();
    }

    @Test
    void exportsRemovesAndImportsAGroup() throws Exception {
        Path file = data.resolve("group.jsonl");
        String visit = "/document/v1/ns/note/group/a%20b%2Fc/?stream=true&format.tensors=hex";
        String before = served.get(visit).body();

        assertThat(listed()).containsExactlyInAnyOrder("a b/c\t" + NOTES, "other\t1");
        assertThat(listed("--selection", "note.year < 7"))
                .containsExactlyInAnyOrder("a b/c\t7", "other\t1");
        assertThat(listed("--number")).containsExactly("77\t1");
        assertThat(run("export", "ns", "note", "a b/c", "--output", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(err.toString()).contains(NOTES + " documents of group a b/c");
        assertThat(Files.readAllLines(file)).hasSize(NOTES);

        assertThat(run("delete", "ns", "note", "a b/c")).isEqualTo(2);
        assertThat(err.toString()).contains("--yes");
        assertThat(run("delete", "ns", "note", "a b/c", "--yes")).isZero();
        assertThat(listed()).containsExactly("other\t1");
        assertThat(run("import", file.toString())).as(err.toString()).isZero();
        assertThat(listed()).containsExactlyInAnyOrder("a b/c\t" + NOTES, "other\t1");
        assertThat(served.get(visit).body()).isEqualTo(before);
    }

    @Test
    void bringsBackWhatAVisitWroteAndSaysWhatIsMissing() throws Exception {
        String lines =
                served.get(
                                "/document/v1/ns/note/group/other/?stream=true",
                                "Accept",
                                "application/jsonl")
                        .body();
        Path whole = Files.writeString(data.resolve("whole.jsonl"), lines);
        Path cut =
                Files.writeString(
                        data.resolve("cut.jsonl"),
                        lines.substring(0, lines.indexOf("{\"sessionStats")));

        assertThat(run("delete", "ns", "note", "other", "--yes")).isZero();
        assertThat(run("import", whole.toString())).as(err.toString()).isZero();
        assertThat(err.toString()).contains("1 documents fed, 0 failed");
        assertThat(run("import", cut.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("incomplete visit");
        assertThat(listed()).contains("other\t1");
    }

    @Test
    void saysWhatTheServerRefuses() {
        assertThat(run("delete", "other", "note", "other", "--yes")).isEqualTo(1);
        assertThat(err.toString()).contains("400");
        assertThat(run("export", "ns", "nothere", "a")).isEqualTo(1);
        assertThat(err.toString()).contains("nothere");
        assertThat(run()).isEqualTo(2);
    }
}
