package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.DeployCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.VisitCommand;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.AdoptCommand;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Copies a data directory into a running server, which may as well be a cluster. */
class AdoptIT {
    private static final Path NOTES =
            Path.of(System.getProperty("crabro.root")).resolve("samples/notes");
    private static final int DOCUMENTS = 3000;

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object command, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(new CommandErrors())
                .execute(arguments);
    }

    private CrabroServer server(String name) throws Exception {
        CrabroServer server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve(name)));
        assertThat(run(new DeployCommand(), NOTES.toString(), "--config=" + server.config()))
                .as(err.toString())
                .isZero();
        return server;
    }

    private long documents(URI target) throws Exception {
        Path file = directory.resolve("visited.jsonl");
        assertThat(
                        run(
                                new VisitCommand(),
                                "home",
                                "note",
                                "--output=" + file,
                                "--target=" + target))
                .as(err.toString())
                .isZero();
        return Files.readAllLines(file).stream().distinct().count();
    }

    @Test
    void copiesAllDocumentsOnce() throws Exception {
        Path feed = directory.resolve("feed.jsonl");
        var lines = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            lines.append(
                    "{\"put\":\"id:home:note:g=u%d:%d\",\"fields\":{\"text\":\"note %d\",\"time\":%d}}\n"
                            .formatted(i % 17, i, i, i));
        }
        Files.writeString(feed, lines, StandardCharsets.UTF_8);
        try (CrabroServer source = server("source")) {
            assertThat(run(new FeedCommand(), feed.toString(), "--target=" + source.container()))
                    .isZero();
        }
        String data = directory.resolve("source").toString();
        try (CrabroServer cluster = server("cluster")) {
            String target = "--target=" + cluster.container();

            assertThat(run(new AdoptCommand(), data, target)).as(err.toString()).isZero();
            assertThat(out.toString())
                    .startsWith("3,000 documents of content cluster 'notes' copied in ")
                    .endsWith("/s), 0 failed.\n");
            assertThat(documents(cluster.container())).isEqualTo(DOCUMENTS);

            assertThat(run(new AdoptCommand(), data, target)).isEqualTo(1);
            assertThat(err.toString()).contains("content cluster 'notes' at ", "has documents");
            assertThat(run(new AdoptCommand(), data, target, "--replace")).isZero();
            assertThat(documents(cluster.container())).isEqualTo(DOCUMENTS);
        }
        // The directory has its documents still.
        try (CrabroServer source = server("source")) {
            assertThat(documents(source.container())).isEqualTo(DOCUMENTS);
        }
    }

    @Test
    void refusesDirectoriesAndServersThatDoNotFit() throws Exception {
        String none = directory.resolve("none").toString();
        assertThat(run(new AdoptCommand(), none)).isEqualTo(1);
        assertThat(err.toString()).contains("is no data directory: it has no packages");
        assertThat(Files.exists(directory.resolve("none"))).isFalse();

        server("source").close();
        String data = directory.resolve("source").toString();
        assertThat(run(new AdoptCommand(), data, "--target=http://127.0.0.1:1")).isEqualTo(69);
        try (CrabroServer empty =
                CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("empty")))) {
            assertThat(run(new AdoptCommand(), data, "--target=" + empty.container())).isEqualTo(1);
            assertThat(err.toString()).contains("answered ");
        }
    }
}
