package org.crabro.client.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the parts of a sample are found, in a build and in a distribution. */
class SampleDirectoryTest {
    @TempDir private Path samples;

    @Test
    void isCommitsUnlessADirectoryIsNamed() throws IOException {
        sample("commits", "application");
        sample("other", "application");

        assertThat(SampleDirectory.of(null, samples.toString()).name()).isEqualTo("commits");
        assertThat(SampleDirectory.of(samples.resolve("other"), samples.toString()).name())
                .isEqualTo("other");
        assertThat(SampleDirectory.of(samples.resolve("other"), null).name()).isEqualTo("other");
    }

    @Test
    void hasThePackageOfTheBuildIfThereIsOne() throws IOException {
        Path commits = sample("commits", "application");
        assertThat(SampleDirectory.of(commits, null).application())
                .isEqualTo(commits.resolve("application"));

        sample("commits", "target/application");
        assertThat(SampleDirectory.of(commits, null).application())
                .isEqualTo(commits.resolve("target/application"));
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> SampleDirectory.of(null, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("start Crabro with its launcher");
        for (String part : List.of("application/services.xml", "feed.jsonl.gz", "queries.json")) {
            Path commits = sample("commits", "application");
            Files.delete(commits.resolve(part));
            assertThatThrownBy(() -> SampleDirectory.of(commits, null))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(Path.of(part).getFileName().toString())
                    .hasMessageContaining(commits.toString());
        }
    }

    private Path sample(String name, String application) throws IOException {
        Path directory = samples.resolve(name);
        Files.createDirectories(directory.resolve(application));
        Files.writeString(directory.resolve(application).resolve("services.xml"), "<services/>");
        Files.writeString(directory.resolve("feed.jsonl.gz"), "");
        Files.writeString(directory.resolve("queries.json"), "[]");
        return directory;
    }
}
