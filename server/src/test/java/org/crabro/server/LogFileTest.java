package org.crabro.server;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    @TempDir Path folder;

    private final List<String> errors = new CopyOnWriteArrayList<>();

    @Test
    void writesALineThatAnotherThreadFormatsWhileTheFileIsClosed() throws Exception {
        var formatting = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        LogFile file =
                file(
                        new Messages() {
                            @Override
                            public String format(LogRecord line) {
                                formatting.countDown();
                                pass(goOn);
                                return super.format(line);
                            }
                        });
        Thread writer = Thread.ofPlatform().start(() -> publish(file, "the last line"));
        pass(formatting);
        Thread closer = Thread.ofPlatform().start(file::close);
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .until(() -> closer.getState() == Thread.State.WAITING || !closer.isAlive());
        goOn.countDown();
        writer.join();
        closer.join();

        assertThat(errors).isEmpty();
        assertThat(lines()).containsExactly("the last line");
    }

    @Test
    void dropsLinesAfterItWasClosed() throws IOException {
        LogFile file = file(new Messages());
        publish(file, "one");
        file.close();
        publish(file, "two");
        file.close();

        assertThat(errors).isEmpty();
        assertThat(lines()).containsExactly("one");
    }

    private LogFile file(Formatter formatter) throws IOException {
        var file = new LogFile(folder.resolve("lines.%g.log").toString(), 1_000_000, 2, formatter);
        file.setErrorManager(
                new ErrorManager() {
                    @Override
                    public void error(String message, Exception failure, int code) {
                        errors.add(code + " " + failure);
                    }
                });
        return file;
    }

    private static void publish(LogFile file, String line) {
        file.publish(new LogRecord(Level.INFO, line));
    }

    private static void pass(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("lines.0.log"));
    }

    private static class Messages extends Formatter {
        @Override
        public String format(LogRecord line) {
            return line.getMessage() + "\n";
        }
    }
}
