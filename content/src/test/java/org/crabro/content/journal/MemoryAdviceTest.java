package org.crabro.content.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file with a hole: the system has nothing of it in memory until it is read. */
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
    void takesPartsOfNoBytes() throws IOException {
        MemorySegment nothing = mapping.asSlice(PAGE, 0);

        residency.ask(nothing);
        residency.load(nothing);

        assertThat(residency.missing(nothing)).isZero();
    }

    @Test
    void tellsWhatCannotBeReadInsteadOfEndingTheProcess() throws IOException {
        try (LogFiles.LogFile file = files.open("hole")) {
            file.resize(PAGE);
        }

        residency.ask(mapping);

        residency.load(mapping.asSlice(0, PAGE));
        assertThatIOException()
                .isThrownBy(() -> residency.load(mapping.asSlice(0, SIZE)))
                .withMessageContaining("address");
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
