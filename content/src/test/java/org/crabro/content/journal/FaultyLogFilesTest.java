package org.crabro.content.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.crabro.content.journal.FaultyLogFiles.Loss;
import org.crabro.content.journal.FaultyLogFiles.StoppedException;
import org.junit.jupiter.api.Test;

class FaultyLogFilesTest {
    private final FaultyLogFiles files =
            new FaultyLogFiles(new Random(Long.getLong("crabro.seed", 20_26)));

    @Test
    void forgetsBytesThatWereNotForced() throws IOException {
        LogFiles.LogFile file = files.create("d/f");
        files.forceDirectory("d");
        file.write(ByteBuffer.wrap(new byte[] {1, 2}), 0);
        file.force();
        file.write(ByteBuffer.wrap(new byte[] {9, 9}), 1);

        assertThat(read(files.afterCrash(Loss.EVERYTHING), "d/f")).containsExactly(1, 2);
        assertThat(read(files, "d/f")).containsExactly(1, 9, 9);
    }

    @Test
    void forgetsNamesThatWereNotForced() throws IOException {
        files.create("d/kept").close();
        files.forceDirectory("d");
        files.create("d/lost").force();
        files.delete("d/kept");

        assertThat(files.afterCrash(Loss.EVERYTHING).list("d")).containsExactly("kept");
    }

    @Test
    void tearsTheWriteItStopsIn() throws IOException {
        boolean torn = false;
        for (int i = 0; i < 100; i++) {
            var stopping = new FaultyLogFiles(new Random(i));
            LogFiles.LogFile file = stopping.create("f");
            stopping.stopAfter(1);

            assertThatExceptionOfType(StoppedException.class)
                    .isThrownBy(() -> file.write(ByteBuffer.allocate(100), 0));

            assertThatExceptionOfType(StoppedException.class).isThrownBy(file::size);
            int size = stopping.afterCrash(Loss.SOME).names().getOrDefault("f", 0);
            torn |= size > 0 && size < 100;
        }
        assertThat(torn).isTrue();
    }

    @Test
    void failsTheForceItWasToldTo() throws IOException {
        LogFiles.LogFile file = files.create("f");
        files.forceDirectory("");
        file.write(ByteBuffer.allocate(3), 0);
        files.failForceAfter(1);

        assertThatIOException().isThrownBy(file::force);
        assertThat(read(files.afterCrash(Loss.EVERYTHING), "f")).isEmpty();
        file.force();
        assertThat(read(files.afterCrash(Loss.EVERYTHING), "f")).hasSize(3);
    }

    @Test
    void runsFull() throws IOException {
        files.limitCapacity(10);
        LogFiles.LogFile file = files.create("f");
        file.write(ByteBuffer.allocate(8), 0);

        assertThatIOException()
                .isThrownBy(() -> file.write(ByteBuffer.allocate(8), 8))
                .withMessageContaining("no space left");
        assertThat(files.freeBytes()).isEqualTo(2);
    }

    private static byte[] read(LogFiles files, String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return bytes.array();
        }
    }
}
