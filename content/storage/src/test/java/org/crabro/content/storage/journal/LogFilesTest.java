package org.crabro.content.storage.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of all implementations of {@link LogFiles}. */
class LogFilesTest {
    enum Kind {
        MAPPED,
        MEMORY,
        FAULTY;

        LogFiles files(Path directory) throws IOException {
            return switch (this) {
                case MAPPED -> new MappedLogFiles(directory);
                case MEMORY -> new MemoryLogFiles();
                case FAULTY -> new FaultyLogFiles(new Random(1));
            };
        }
    }

    @TempDir Path directory;

    @ParameterizedTest
    @EnumSource
    void readsWhatWasWritten(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);

        try (LogFiles.LogFile file = files.create("a/b/c")) {
            file.write(bytes("world"), 6);
            file.write(bytes("hello"), 0);
            file.force();
        }
        files.forceDirectory("a/b");

        try (LogFiles.LogFile file = files.open("a/b/c")) {
            var read = ByteBuffer.allocate(20);
            assertThat(file.size()).isEqualTo(11);
            assertThat(file.read(read, 0)).isEqualTo(11);
            assertThat(new String(read.array(), 0, 11, UTF_8)).isEqualTo("hello\0world");
            assertThat(file.read(read, 30)).isZero();
        }
    }

    /** An early write of a missing range, twice, or before a delete, has no effect. */
    @ParameterizedTest
    @EnumSource
    void writesOutEarlyWithoutChangingAnything(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);

        try (LogFiles.LogFile file = files.create("run")) {
            file.write(bytes("hello world"), 0);
            file.writeOut(0, 5);
            file.writeOut(0, 1 << 20);
            file.write(bytes("W"), 6);
            files.delete("run");
            file.writeOut(0, 11);

            var read = ByteBuffer.allocate(20);
            assertThat(file.size()).isEqualTo(11);
            assertThat(file.read(read, 0)).isEqualTo(11);
            assertThat(new String(read.array(), 0, 11, UTF_8)).isEqualTo("hello World");
        }
    }

    @ParameterizedTest
    @EnumSource
    void mapsAWholeFile(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);
        try (LogFiles.LogFile file = files.create("run")) {
            file.write(bytes("abc"), 0);
        }

        try (var arena = Arena.ofConfined()) {
            var mapping = files.map("run", arena);
            files.delete("run");

            assertThat(mapping.toArray(ValueLayout.JAVA_BYTE)).containsExactly('a', 'b', 'c');
            assertThat(mapping.isReadOnly()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void listsNamesInOrder(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);
        for (String path : new String[] {"x/2", "x/1", "x/y/3", "xz"}) {
            files.create(path).close();
        }
        files.delete("x/1");
        files.delete("x/none");

        assertThat(files.list("x")).containsExactly("2", "y");
        assertThat(files.list("")).contains("x", "xz");
        assertThat(files.list("nowhere")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void growsWithZerosAndShrinks(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);

        try (LogFiles.LogFile file = files.create("f")) {
            file.write(bytes("abc"), 0);
            file.resize(1);
            file.resize(4);

            var read = ByteBuffer.allocate(9);
            assertThat(file.read(read, 0)).isEqualTo(4);
            assertThat(read.array()).startsWith('a', 0, 0, 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsAnExistingAndAMissingFile(Kind kind) throws IOException {
        LogFiles files = kind.files(directory);
        files.create("f").close();

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> files.create("f"));
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> files.open("g"));
    }

    @Test
    void refusesADirectoryInUse() throws IOException {
        try (var files = new MappedLogFiles(directory)) {
            assertThat(files.freeBytes()).isPositive();
            assertThatIOException()
                    .isThrownBy(() -> new MappedLogFiles(directory))
                    .withMessageContaining("in use");
        }
        new MappedLogFiles(directory).close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
