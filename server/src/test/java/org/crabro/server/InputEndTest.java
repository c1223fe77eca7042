package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InputEndTest {
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

    private final AtomicInteger stops = new AtomicInteger();

    @Test
    void stopsOnceAfterTheLastByte() throws InterruptedException {
        var input = new ByteArrayInputStream(new byte[2000]);

        Thread thread = InputEnd.await(input, stops::incrementAndGet);

        assertThat(thread.join(ONE_MINUTE)).isTrue();
        assertThat(stops).hasValue(1);
        assertThat(input.available()).isZero();
    }

    @Test
    void waitsWhileTheOtherEndOfAPipeIsOpen() throws IOException, InterruptedException {
        try (var input = new PipedInputStream()) {
            Thread thread;
            try (var other = new PipedOutputStream(input)) {
                thread = InputEnd.await(input, stops::incrementAndGet);
                other.write(new byte[100]);
                assertThat(stops).hasValue(0);
            }

            assertThat(thread.join(ONE_MINUTE)).isTrue();
            assertThat(stops).hasValue(1);
        }
    }

    @Test
    void stopsIfTheInputCannotBeRead() throws IOException, InterruptedException {
        InputStream broken = InputStream.nullInputStream();
        broken.close();

        Thread thread = InputEnd.await(broken, stops::incrementAndGet);

        assertThat(thread.join(ONE_MINUTE)).isTrue();
        assertThat(stops).hasValue(1);
    }
}
