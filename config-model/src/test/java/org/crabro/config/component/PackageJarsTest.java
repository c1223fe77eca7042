package org.crabro.config.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.Notice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The allowed contents of jars, and their limits. */
class PackageJarsTest {
    @TempDir Path files;

    private final Findings findings = new Findings();

    @BeforeEach
    void makeDirectory() throws IOException {
        Files.createDirectories(files.resolve("components"));
    }

    @Test
    void acceptsAHundredJarsAndNoMore() throws IOException {
        for (int i = 0; i < PackageJars.JARS_MAX; i++) {
            jar("j" + i + ".jar", "a/B.class");
        }
        assertThat(read().bundles()).hasSize(PackageJars.JARS_MAX);
        assertThat(findings.problems()).isEmpty();

        jar("one-more.jar");
        read();
        assertThat(findings.problems())
                .containsExactly("components/: more than 100 jars; at most 100 are allowed");
    }

    @Test
    void acceptsAHundredThousandFilesOfAJarAndNoMore() throws IOException {
        String[] names =
                IntStream.range(0, PackageJars.ENTRIES_MAX)
                        .mapToObj(i -> "f" + i)
                        .toArray(String[]::new);
        jar("a.jar", names);
        read();
        assertThat(findings.problems()).isEmpty();

        names =
                IntStream.rangeClosed(0, names.length)
                        .mapToObj(i -> "f" + i)
                        .toArray(String[]::new);
        jar("a.jar", names);
        read();
        assertThat(findings.problems())
                .containsExactly(
                        "components/a.jar: no jar that can be read: it has more than the 100,000"
                                + " files that are allowed");
    }

    @Test
    void rejectsALongerJar() throws IOException {
        try (var jar = new RandomAccessFile(files.resolve("components/a.jar").toFile(), "rw")) {
            // Nothing is written: the file takes no room on the disk.
            jar.setLength(PackageJars.JAR_BYTES_MAX + 1);
        }
        read();

        assertThat(findings.problems())
                .containsExactly(
                        "components/a.jar: no jar that can be read: it has more than the"
                                + " 268,435,456 bytes that are allowed");
    }

    @Test
    void readsNoLongerClass() throws IOException {
        try (var jar =
                new JarOutputStream(Files.newOutputStream(files.resolve("components/a.jar")))) {
            jar.putNextEntry(new JarEntry("my/Long.class"));
            jar.write(new byte[PackageJars.CLASS_BYTES_MAX + 1]);
        }
        PackageJars jars = read();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> jars.find("my.Long"))
                .withMessage("it has more than 4,194,304 bytes");
        assertThat(jars.find("my.Other")).isEmpty();
    }

    @Test
    void reportsNestedJars() throws IOException {
        jar("a.jar", "my/A.class", "lib/b.jar", "lib/c.jar", "META-INF/versions/9/my/A.class");

        assertThat(read().classes(Optional.of("a"))).containsExactly("my.A");
        assertThat(findings.notices())
                .containsExactly(
                        new Notice(
                                Notice.Level.WARNING,
                                "components/a.jar: the jar lib/b.jar inside is not read; put it"
                                        + " into components/, or its classes into this one"));
    }

    private PackageJars read() throws IOException {
        return PackageJars.read(DirectoryFiles.of(files), findings);
    }

    private void jar(String name, String... entries) throws IOException {
        try (var jar =
                new JarOutputStream(
                        new BufferedOutputStream(
                                Files.newOutputStream(
                                        files.resolve("components").resolve(name))))) {
            jar.setLevel(0);
            for (String entry : entries) {
                jar.putNextEntry(new JarEntry(entry));
            }
        }
    }
}
