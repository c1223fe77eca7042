package org.crabro.content.storage.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file with a hole: the system has none of it in memory until it is read. */
@EnabledOnOs(OS.LINUX)
class MemoryAdviceTest {
    private static final long SIZE = 4L << 20;
    private static final long PAGE = 4_096;

    @TempDir Path directory;

    private final Arena arena = Arena.ofShared();
    private MappedLogFiles files;
    private Residency residency;
    private MemorySegment mapping;

    @BeforeEach
    void mapAHole() throws IOException {
        files = new MappedLogFiles(directory);
        residency = files.residency();
        try (LogFiles.LogFile file = files.create("hole")) {
            file.resize(SIZE);
        }
        mapping = files.map("hole", arena);
    }

    @AfterEach
    void close() throws IOException {
        arena.close();
        files.close();
    }

    @Test
    void readsOnePageWhereOneIsTouched() {
        MemorySegment part = mapping.asSlice(0, SIZE / 2);
        assertThat(residency.missing(part)).isEqualTo(SIZE / 2);

        assertThat(mapping.get(ValueLayout.JAVA_BYTE, 10 * PAGE + 7)).isZero();

        assertThat(residency.missing(part)).isEqualTo(SIZE / 2 - PAGE);
        assertThat(residency.missing(mapping.asSlice(10 * PAGE + 1, 2))).isZero();
    }

    @Test
    void loadsWhatWasAskedForAndNothingElse() throws IOException {
        MemorySegment part = mapping.asSlice(PAGE + 100, SIZE / 4);

        residency.ask(part);
        residency.load(part);

        assertThat(residency.missing(part)).isZero();
        assertThat(residency.missing(mapping.asSlice(0, PAGE))).isEqualTo(PAGE);
        assertThat(residency.missing(mapping.asSlice(SIZE / 2, PAGE))).isEqualTo(PAGE);
    }

    @Test
    void acceptsEmptyParts() throws IOException {
        MemorySegment nothing = mapping.asSlice(PAGE, 0);

        residency.ask(nothing);
        residency.load(nothing);

        assertThat(residency.missing(nothing)).isZero();
    }

    @Test
    void reportsUnreadablePagesInsteadOfEndingTheProcess() throws IOException {
        try (LogFiles.LogFile file = files.open("hole")) {
            file.resize(PAGE);
        }

        residency.ask(mapping);

        residency.load(mapping.asSlice(0, PAGE));
        assertThatIOException()
                .isThrownBy(() -> residency.load(mapping.asSlice(0, SIZE)))
                .withMessageContaining("address");
    }

    /** Also if headers are already in memory, and mapped. */
    @Test
    void readsWholeLargePages() throws IOException {
        MemorySegment large = mapNumbers("numbers");
        int size = residency.largeSize(large);
        assumeTrue(size > 0, "the system has no large pages of files");
        assertThat(residency.largeSize(mapping)).isZero();
        MemorySegment second = large.asSlice(size, size);
        assertThat(second.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(size);

        residency.loadLarge(second);

        assertThat(residency.missing(second)).isZero();
        for (long i = 0; i < size; i += Long.BYTES) {
            assertThat(second.get(ValueLayout.JAVA_LONG, i)).isEqualTo(size + i);
        }
    }

    @Test
    void reportsTheUnreadablePartOfALargePage() throws IOException {
        MemorySegment large = mapNumbers("short");
        int size = residency.largeSize(large);
        assumeTrue(size > 0, "the system has no large pages of files");
        try (LogFiles.LogFile file = files.open("short")) {
            file.resize(size);
        }

        residency.loadLarge(large.asSlice(0, size));
        assertThatIOException().isThrownBy(() -> residency.loadLarge(large.asSlice(size, size)));
    }

    @Test
    void letsFilesGoWithTheirMapping() throws IOException {
        try (Arena brief = Arena.ofShared()) {
            MemorySegment large = mapNumbers("gone", brief);
            assumeTrue(residency.largeSize(large) > 0, "the system has no large pages of files");
            assertThat(descriptors("gone")).isEqualTo(1);
        }

        assertThat(descriptors("gone")).isZero();
    }

    private static long descriptors(String name) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(
                            each -> {
                                try {
                                    return Files.readSymbolicLink(each).endsWith(name);
                                } catch (IOException _) {
                                    // Closed since it was listed.
                                    return false;
                                }
                            })
                    .count();
        }
    }

    private MemorySegment mapNumbers(String path) throws IOException {
        return mapNumbers(path, arena);
    }

    /** Maps a file in which each long contains its own offset. */
    private MemorySegment mapNumbers(String path, Arena of) throws IOException {
        ByteBuffer numbers = ByteBuffer.allocate(8 << 20).order(ByteOrder.nativeOrder());
        for (int i = 0; i < numbers.capacity(); i += Long.BYTES) {
            numbers.putLong(i, i);
        }
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(numbers, 0);
            file.force();
        }
        return files.map(path, of);
    }

    @Test
    void plainReadsLoadToo() throws IOException {
        var plain = new PlainReads();
        try (LogFiles.LogFile file = files.create("whole")) {
            file.write(ByteBuffer.allocate(100), 0);
        }
        MemorySegment whole = files.map("whole", arena);

        plain.ask(whole);
        plain.load(whole);

        assertThat(plain.missing(whole)).isZero();
    }
}
