package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.validation.Components;
import org.crabro.config.validation.SchemaCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package that the page on packages shows is one. */
class ApplicationPageTest {
    /** A path in backquotes and a colon, then a fenced block. */
    private static final Pattern FILE =
            Pattern.compile("(?m)^`([^`]+)`:\\n\\n```[a-z]*\\n(.*?)^```$", Pattern.DOTALL);

    private static final Pattern SCHEMA =
            Pattern.compile("(?m)^```\\n(schema (\\w+) .*?)^```$", Pattern.DOTALL);

    @TempDir Path directory;

    @Test
    void thePackageCompilesWithoutANotice() throws IOException {
        SourceTree tree = SourceTree.ofRepository();
        Matcher file =
                FILE.matcher(Objects.requireNonNull(tree.texts().get("docs/application.md")));
        while (file.find()) {
            Path path = directory.resolve(file.group(1));
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.group(2));
        }

        CompiledApplication compiled = ApplicationCompiler.compile(DirectoryFiles.of(directory), 1);

        assertThat(compiled.model().schemas()).containsOnlyKeys("note");
        assertThat(compiled.notices()).isEmpty();
    }

    @Test
    void everySchemaOnThePageCompiles() throws IOException {
        String page =
                Objects.requireNonNull(
                        SourceTree.ofRepository().texts().get("docs/application.md"));
        Matcher schema = SCHEMA.matcher(page);
        int count = 0;
        while (schema.find()) {
            count++;
            var findings = new Findings();
            SchemaParser.Result parsed =
                    SchemaParser.parse(
                            new SourceText("schemas/" + schema.group(2) + ".sd", schema.group(1)));
            assertThat(parsed.errors()).isEmpty();
            SchemaCompiler.compile(
                    parsed.schema().orElseThrow(),
                    new Components(
                            Optional.of(Set.of()),
                            Set.of(),
                            Map.of(),
                            Map.of(),
                            // What the schemas on the page refer to.
                            Set.of("artist"),
                            Set.of()),
                    findings);
            assertThat(findings.problems()).isEmpty();
            assertThat(findings.notices()).isEmpty();
        }

        assertThat(count).isGreaterThan(1);
    }
}
