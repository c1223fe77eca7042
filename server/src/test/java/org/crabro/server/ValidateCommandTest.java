package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ValidateCommandTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/></container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;
    private static final String SCHEMA =
            "schema note {\n  document note {\n    field title type string {}\n  }\n}\n";

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void reportsAValidPackage() throws IOException {
        write("src/main/application/services.xml", SERVICES);
        write("src/main/application/schemas/note.sd", SCHEMA);
        write("src/main/application/schemas/README.md", "Not for the server.");
        write("src/main/application/.vespaignore", "schemas/*.md\n");

        assertThat(run(directory)).as(out.toString() + err).isZero();
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "Valid: 1 schemas, 1 container clusters, 1 content clusters.\n");
    }

    @Test
    void reportsEveryProblemWithItsPlace() throws IOException {
        write("services.xml", SERVICES);
        write("schemas/note.sd", SCHEMA.replace("type string", "typ string"));

        assertThat(run(directory)).isEqualTo(1);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        """
                        schemas/note.sd:3:17: expected 'type' but found 'typ'
                              field title typ string {}
                                          ^
                        """);
    }

    @Test
    void reportsOverridesThatAllowForTooLong() throws IOException {
        write("services.xml", SERVICES);
        write("schemas/note.sd", SCHEMA);
        write(
                "validation-overrides.xml",
                "<validation-overrides><allow until=\"2999-01-01\">schema-removal</allow></validation-overrides>");

        assertThat(run(directory)).isEqualTo(1);
        assertThat(out.toString())
                .startsWith(
                        "validation-overrides.xml:1:23: schema-removal is allowed until 2999-01-01,"
                                + " more than 30 days ahead; expected ");
    }

    @Test
    void readsArchives() throws IOException {
        Path zip = directory.resolve("package.zip");
        try (var entries = new ZipOutputStream(Files.newOutputStream(zip))) {
            entries.putNextEntry(new ZipEntry("services.xml"));
            entries.write("<container version='1.0'/>".getBytes(StandardCharsets.UTF_8));
            entries.closeEntry();
        }
        Path broken = Files.writeString(directory.resolve("broken.zip"), "no archive");

        assertThat(run(zip)).isZero();
        assertThat(out.toString()).startsWith("Valid: 0 schemas");
        assertThat(run(broken)).isEqualTo(1);
    }

    @Test
    void namesTheSearchedDirectory() {
        assertThat(run(directory)).isEqualTo(1);
        assertThat(err.toString()).contains("no package found", "src");
    }

    private void write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int run(Path path) {
        var commandLine = new CommandLine(new ValidateCommand());
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(path.toString());
    }
}
