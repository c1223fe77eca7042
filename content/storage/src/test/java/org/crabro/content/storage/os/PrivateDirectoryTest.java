package org.crabro.content.storage.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class PrivateDirectoryTest {
    @TempDir Path directory;

    @Test
    void makesEveryDirectoryForItsOwnerAlone() throws IOException {
        Path data = directory.resolve("crabro-data/content-data");

        try (var files = new MappedLogFiles(data)) {
            files.create("partitions/00/1.run").close();
        }

        try (Stream<Path> all = Files.walk(directory.resolve("crabro-data"))) {
            for (Path made : all.filter(Files::isDirectory).toList()) {
                assertThat(mode(made)).as(made.toString()).isEqualTo("rwx------");
            }
        }
        assertThat(data.resolve("partitions/00/1.run")).exists();
    }

    @Test
    void removesTheRightsOfOthersFromAnExistingDirectory() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path below = Files.createDirectory(data.resolve("below"));
        Files.setPosixFilePermissions(below, PosixFilePermissions.fromString("rwxr-xr-x"));

        new MappedLogFiles(data).close();

        assertThat(mode(data)).isEqualTo("rwx------");
        assertThat(mode(below)).isEqualTo("rwxr-xr-x");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
