package org.crabro.content.storage.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class DirectoryLockTest {
    @TempDir Path directory;

    /** Opens the given directory, prints a line, and keeps it open until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            try (var files = new MappedLogFiles(Path.of(args[0]))) {
                System.out.println(files.list(""));
                System.out.flush();
                while (System.in.read() >= 0) {
                    // Until the other process closes the input.
                }
            }
        }
    }

    @Test
    void keepsAnotherProcessOutWhateverFilesAreRemoved() throws Exception {
        Process holder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertThat(holder.inputReader().readLine()).isEqualTo("[lock]");
            checkInUse();

            Files.delete(directory.resolve("lock"));
            checkInUse();
            checkInUse();

            removeAll();
            Files.createFile(directory.resolve("lock"));
            checkInUse();
        } finally {
            holder.destroyForcibly().waitFor();
        }
        new MappedLogFiles(directory).close();
    }

    @Test
    void keepsThisProcessOutAfterTheFileWasRemoved() throws IOException {
        try (var files = new MappedLogFiles(directory)) {
            files.delete("lock");

            checkInUse();
        }
        new MappedLogFiles(directory).close();
    }

    private void checkInUse() {
        assertThatIOException()
                .isThrownBy(() -> new MappedLogFiles(directory))
                .withMessage("the directory is in use by another process: " + directory);
    }

    private void removeAll() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path each : all.toList()) {
                Files.delete(each);
            }
        }
    }
}
