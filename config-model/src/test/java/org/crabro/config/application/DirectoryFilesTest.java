package org.crabro.config.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryFilesTest {
    @TempDir Path root;

    @Test
    void knowsEmptyDirectoriesOfThePackageOnly() throws IOException {
        Files.createDirectories(root.resolve("package/parts/deep"));
        Files.createDirectories(root.resolve("other"));
        Files.writeString(root.resolve("package/file"), "");

        DirectoryFiles files = DirectoryFiles.of(root.resolve("package"));

        assertThat(files.hasDirectory("parts")).isTrue();
        assertThat(files.hasDirectory("parts/deep")).isTrue();
        assertThat(files.hasDirectory("part")).isFalse();
        assertThat(files.hasDirectory("file")).isFalse();
        assertThat(files.hasDirectory("../other")).isFalse();
    }
}
