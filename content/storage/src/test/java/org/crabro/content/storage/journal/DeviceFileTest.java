package org.crabro.content.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads without the page cache if the file system of temporary files supports it, and otherwise
 * through it.
 */
class DeviceFileTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int SIZE = (3 << 20) + 777;

    @TempDir Path directory;

    @Test
    void readsAnyRange() throws IOException {
        var random = new Random(SEED);
        var bytes = new byte[SIZE];
        random.nextBytes(bytes);
        Path path = Files.write(directory.resolve("file"), bytes);

        try (LogFiles.LogFile file = DeviceFile.open(path)) {
            assertThat(file.size()).isEqualTo(SIZE);
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(SIZE + 10);
                int length = random.nextInt(i % 10 == 0 ? 2 << 20 : 5_000);
                ByteBuffer into = ByteBuffer.allocate(length);

                int count = file.read(into, from);

                String what = "%d bytes at %d, seed %d".formatted(length, from, SEED);
                int start = Math.min(from, SIZE);
                int end = Math.min(from + length, SIZE);
                assertThat(count).as(what).isEqualTo(end - start);
                assertThat(Arrays.copyOf(into.array(), count))
                        .as(what)
                        .isEqualTo(Arrays.copyOfRange(bytes, start, end));
            }
        }
    }

    @Test
    void writesNothing() throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[10]);
        try (LogFiles.LogFile file = DeviceFile.open(path)) {
            assertThatExceptionOfType(NonWritableChannelException.class)
                    .isThrownBy(() -> file.write(ByteBuffer.allocate(1), 0));
        }
    }

    @Test
    void reportsAMissingFile() {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> DeviceFile.open(directory.resolve("none")));
    }
}
