package org.crabro.client.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads messages, one a line, of a limited length. */
final class MessageLines {
    private static final int CHUNK = 8 << 10;

    private final InputStream in;
    private final int max;
    private final byte[] chunk = new byte[CHUNK];
    private int next;
    private int end;

    /**
     * @param max the bytes of the longest line
     */
    MessageLines(InputStream in, int max) {
        this.in = in;
        this.max = max;
    }

    /** What was read. */
    sealed interface Item {
        /** A line, without its end. */
        record Line(String text) implements Item {}

        /** The beginning of a line that is longer than permitted. The others were skipped. */
        record TooLong(String begin) implements Item {}

        /** There is nothing more. */
        record End() implements Item {}
    }

    /** Waits for the next line. A last line without an end counts, too. */
    Item next() throws IOException {
        var line = new ByteArrayOutputStream();
        boolean isTooLong = false;
        while (true) {
            if (next == end) {
                end = Math.max(0, in.read(chunk));
                next = 0;
                if (end == 0) {
                    return line.size() == 0 ? new Item.End() : item(line, isTooLong);
                }
            }
            int stop = next;
            while (stop < end && chunk[stop] != '\n') {
                stop++;
            }
            int taken = Math.min(stop - next, max - line.size());
            line.write(chunk, next, taken);
            isTooLong |= taken < stop - next;
            boolean isEnd = stop < end;
            next = isEnd ? stop + 1 : stop;
            if (isEnd) {
                return item(line, isTooLong);
            }
        }
    }

    private static Item item(ByteArrayOutputStream line, boolean isTooLong) {
        String text = line.toString(StandardCharsets.UTF_8);
        return isTooLong ? new Item.TooLong(text) : new Item.Line(text);
    }
}
