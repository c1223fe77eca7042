package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatheredFileHandlerTest {
    private static final int FILES = 2;

    @TempDir Path folder;

    @Test
    void keepsLinesBackUntilItIsAskedToWrite() throws IOException {
        GatheredFileHandler handler = handler(1_000_000);
        publish(handler, "one");
        publish(handler, "two");
        List<String> before = lines(0);
        handler.write();

        assertThat(before).isEmpty();
        assertThat(lines(0)).containsExactly("one", "two");
        handler.close();
    }

    @Test
    void writesWhatIsLeftAtTheEnd() throws IOException {
        GatheredFileHandler handler = handler(1_000_000);
        publish(handler, "one");
        handler.write();
        publish(handler, "two");
        handler.close();

        assertThat(lines(0)).containsExactly("one", "two");
    }

    @Test
    void losesNoLineBetweenTwoFiles() throws IOException {
        GatheredFileHandler handler = handler(50_000);
        List<String> published =
                IntStream.range(0, 5_000).mapToObj(i -> "line number " + i).toList();
        published.forEach(line -> publish(handler, line));
        handler.close();

        List<String> all = new ArrayList<>();
        for (int file = FILES - 1; file >= 0; file--) {
            all.addAll(lines(file));
        }
        assertThat(lines(1)).isNotEmpty();
        assertThat(all).isEqualTo(published);
    }

    private GatheredFileHandler handler(int bytes) throws IOException {
        return new GatheredFileHandler(
                folder.resolve("lines.%g.log").toString(), bytes, FILES, new Messages());
    }

    private static void publish(GatheredFileHandler handler, String line) {
        handler.publish(new LogRecord(Level.INFO, line));
    }

    private List<String> lines(int file) throws IOException {
        return Files.readAllLines(folder.resolve("lines." + file + ".log"));
    }

    private static final class Messages extends Formatter {
        @Override
        public String format(LogRecord line) {
            return line.getMessage() + "\n";
        }
    }
}
