package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The word of the first query that an import suggests. */
class CommonWordsTest {
    @TempDir private Path directory;

    @Test
    void isOfTheLongestTextField() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("a.csv"),
                        """
                        title,text
                        garden,Water the tomatoes in the evening
                        garden,Plant tomatoes under glass
                        garden,Buy bread and cheese in town
                        """);

        assertThat(ImportedFile.of(file).schema().commonWord()).contains("tomatoes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"there", "their", "nicht", "which", "werden", "pour plusieurs", "tienen"})
    void isNoStopWord(String words) throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("a.csv"),
                        "text\n%s tomatoes\n%<s bread\n%<s tomatoes\n%<s\n".formatted(words));

        assertThat(ImportedFile.of(file).schema().commonWord()).contains("tomatoes");
    }

    @Test
    void isNoWordOfHeaders() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("a.mbox"),
                        """
                        From ann@example.com Tue Jun  3 11:05:30 2008
                        From: ann@example.com

                        > Content-Type: text/plain; charset=utf-8; format=flowed
                        > X-Mailer: invented
                        charset format see https://example.com/invented or write invented@example.com
                        The tomatoes are ripe.
                        """);

        assertThat(ImportedFile.of(file).schema().commonWord()).contains("format");
        Files.writeString(file, Files.readString(file).replace(" format see", " see"));
        assertThat(ImportedFile.of(file).schema().commonWord()).contains("tomatoes");
    }
}
