package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code crabro demo} in a directory with the parts of the tarball, over fewer documents. */
class DemoIT {
    private static final Path ROOT =
            Path.of(System.getProperty("crabro.root")).toAbsolutePath().normalize();
    private static final int DOCUMENTS = 300;

    @TempDir private Path tarball;

    @BeforeEach
    void link() throws IOException {
        Path distribution = ROOT.resolve("server/target/crabro/crabro");
        Files.createSymbolicLink(tarball.resolve("lib"), distribution.resolve("lib"));
        // The launcher follows links to itself, so that it is a copy here.
        Files.createDirectory(tarball.resolve("bin"));
        for (String name : List.of("crabro", "find-jdk")) {
            Files.copy(
                    distribution.resolve("bin").resolve(name),
                    tarball.resolve("bin").resolve(name),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path built = ROOT.resolve("samples/commits");
        Path commits = Files.createDirectories(tarball.resolve("samples/commits"));
        Files.createSymbolicLink(
                commits.resolve("application"), built.resolve("target/application"));
        Files.createSymbolicLink(commits.resolve("queries.json"), built.resolve("queries.json"));
        try (var from =
                        new BufferedReader(
                                new InputStreamReader(
                                        new GZIPInputStream(
                                                Files.newInputStream(
                                                        built.resolve("feed.jsonl.gz"))),
                                        UTF_8));
                Writer to =
                        new OutputStreamWriter(
                                new GZIPOutputStream(
                                        Files.newOutputStream(commits.resolve("feed.jsonl.gz"))),
                                UTF_8)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                to.write(from.readLine() + "\n");
            }
        }
    }

    @Test
    void startsDeploysFeedsAndQueries() throws Exception {
        var builder =
                new ProcessBuilder(
                        tarball.resolve("bin/crabro").toString(), "demo", "--restarts", "1");
        builder.environment().remove("CRABRO_SAMPLES");
        builder.environment().put("CRABRO_HEAP_MIB", "256");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process demo = builder.redirectErrorStream(true).start();
        demo.getOutputStream().close();

        String said = new String(demo.getInputStream().readAllBytes(), UTF_8);

        assertThat(demo.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("The application package commits is deployed.")
                .contains("%d documents stored".formatted(DOCUMENTS))
                .contains("Stopped and started 1 times")
                .containsPattern("[1-9]\\d* of \\d+ documents match")
                .doesNotContain("null");
    }
}
