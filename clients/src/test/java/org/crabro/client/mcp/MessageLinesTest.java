package org.crabro.client.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageLinesTest {
    private static final int MAX = 10;

    /** Returns what is read: lines, and the beginnings of long ones with a star. */
    private static List<String> read(InputStream in) throws IOException {
        var lines = new MessageLines(in, MAX);
        var read = new ArrayList<String>();
        while (true) {
            switch (lines.next()) {
                case MessageLines.Item.Line(String text) -> read.add(text);
                case MessageLines.Item.TooLong(String begin) -> read.add(begin + "*");
                case MessageLines.Item.End() -> {
                    return read;
                }
            }
        }
    }

    private static List<String> read(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    @Test
    void readsLines() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("a\n\nb\r\nö")).containsExactly("a", "", "b\r", "ö");
    }

    @Test
    void cutsLongLines() throws IOException {
        assertThat(read("0123456789\n0123456789a\nb\n" + "c".repeat(50_000) + "\nd"))
                .containsExactly("0123456789", "0123456789*", "b", "cccccccccc*", "d");
        assertThat(read("e".repeat(11))).containsExactly("eeeeeeeeee*");
    }

    /** A sender of 4 GiB without an end of a line needs no more memory than one of the limit. */
    @Test
    void retainsNothingOfAnEndlessLine() throws IOException {
        var endless =
                new InputStream() {
                    private long remaining = 4L << 30;

                    @Override
                    public int read() {
                        throw new IllegalStateException("single bytes are not read");
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        if (remaining <= 0) {
                            return -1;
                        }
                        remaining -= length;
                        return length;
                    }
                };

        assertThat(read(endless)).singleElement().asString().hasSize(MAX + 1);
    }
}
