package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.crabro.document.json.ByteWords;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.text.EightBytes;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Writes the answer to a bulk request: a line for each operation, and totals.
 *
 * <pre>
 *   {"line":1,"id":"id:mail:message:g=anna:7","status":200}
 *   {"line":2,"id":"id:mail:message:g=anna:8","status":400,"message":"…"}
 *   {"line":3,"id":"id:mail:message:g=anna:9","status":200,"fields":{"subject":"Hello"}}
 *   {"totals":{"operations":3,"ok":2,"failed":1,"statuses":{"200":2,"400":1},"complete":true}}
 * </pre>
 *
 * <p>The id is missing if the line has no valid one. Not thread-safe.
 */
final class AnswerLines {
    private static final byte[] LINE = ascii("{\"line\":");
    private static final byte[] ID = ascii(",\"id\":\"");
    private static final byte[] STATUS_OK = ascii("\",\"status\":200}\n");
    private static final int ASCII_MAX = 0x7f;
    private static final int LONGEST_NUMBER = 20;

    private final boolean all;
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private byte[] bytes = new byte[1 << 14];
    private int size;
    private long operations;
    private long ok;

    /**
     * @param all whether lines of operations that were carried out are written, too
     */
    AnswerLines(boolean all) {
        this.all = all;
    }

    /** Writes that the operation of a line was carried out. */
    void ok(long line, byte[] row) {
        operations++;
        ok++;
        if (!all) {
            return;
        }
        long length = RowEncoding.idBytes(java.lang.foreign.MemorySegment.ofArray(row)).byteSize();
        reserve(LINE.length + LONGEST_NUMBER + ID.length);
        append(LINE);
        putNumber(line);
        append(ID);
        putEscaped(row, RowEncoding.ID_OFFSET, (int) length);
        put(STATUS_OK);
    }

    /** Writes the bytes for which the buffer has room. */
    private void append(byte[] more) {
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    /**
     * Writes the outcome of the operation of a line. It is always written unless it is a plain
     * success.
     */
    void told(long line, Optional<String> id, WriteStatus told) {
        operations++;
        int status = told.status();
        String message = told.message();
        if (status == HttpStatus.OK_200) {
            ok++;
            if (!all && told.isPlain()) {
                return;
            }
        } else {
            statuses.merge(status, 1L, Long::sum);
        }
        begin(line);
        putId(id);
        put(ascii(",\"status\":" + status));
        if (told.isMissing()) {
            put(ascii(",\"notFound\":true"));
        }
        if (!told.trace().isEmpty()) {
            put(ascii(",\"trace\":"));
            putTrace(told.trace());
        }
        if (!message.isEmpty()) {
            put(ascii(",\"message\":\""));
            put(quoted(message));
            put('"');
        }
        put(ascii("}\n"));
    }

    /**
     * Writes a document that was read.
     *
     * @param json an object with its id, the status and its fields
     */
    void writeDocument(long line, ByteBuffer json) {
        operations++;
        ok++;
        begin(line);
        put(',');
        // After the opening brace of the line.
        int length = json.remaining() - 1;
        reserve(length);
        json.get(1, bytes, size, length);
        size += length;
        put('\n');
    }

    /** Writes that a document is missing. */
    void missing(long line, Optional<String> id) {
        operations++;
        statuses.merge(HttpStatus.NOT_FOUND_404, 1L, Long::sum);
        begin(line);
        putId(id);
        put(ascii(",\"status\":404}\n"));
    }

    /**
     * Writes the totals.
     *
     * @param problem why the body was not read to its end; empty if it was
     * @param trace the steps, if the request asks for a trace
     */
    void totals(Optional<String> problem, List<String> trace) {
        if (ok > 0) {
            statuses.put(HttpStatus.OK_200, ok);
        }
        var text = new StringBuilder();
        text.append("{\"totals\":{\"operations\":").append(operations);
        text.append(",\"ok\":").append(ok);
        text.append(",\"failed\":").append(operations - ok);
        text.append(",\"statuses\":{");
        String separator = "";
        for (Map.Entry<Integer, Long> each : statuses.entrySet()) {
            text.append(separator).append('"').append(each.getKey()).append("\":");
            text.append(each.getValue());
            separator = ",";
        }
        text.append("},\"complete\":").append(problem.isEmpty());
        put(ascii(text.toString()));
        if (problem.isPresent()) {
            put(ascii(",\"message\":\""));
            put(quoted(problem.get()));
            put('"');
        }
        if (!trace.isEmpty()) {
            put(ascii(",\"trace\":"));
            putTrace(trace);
        }
        put(ascii("}}\n"));
    }

    private void putTrace(List<String> notes) {
        put(
                notes.stream()
                        .map(note -> "{\"message\":\"" + new String(quoted(note), UTF_8) + "\"}")
                        .collect(Collectors.joining(",", "[", "]"))
                        .getBytes(UTF_8));
    }

    /** Returns the bytes since the last call; valid until the next write. */
    ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(bytes, 0, size);
        size = 0;
        return taken;
    }

    int size() {
        return size;
    }

    private void begin(long line) {
        put(LINE);
        putNumber(line);
    }

    private void putId(Optional<String> id) {
        if (id.isPresent()) {
            put(ID);
            put(quoted(id.get()));
            put('"');
        }
    }

    private void putNumber(long number) {
        reserve(LONGEST_NUMBER);
        int digits = 1;
        for (long left = number / 10; left > 0; left /= 10) {
            digits++;
        }
        long left = number;
        for (int at = size + digits - 1; at >= size; at--) {
            bytes[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
        size += digits;
    }

    private void putEscaped(byte[] utf8, int from, int length) {
        int to = from + length;
        int plain = from;
        while (plain + Long.BYTES <= to && ByteWords.arePlain(EightBytes.of(utf8, plain))) {
            plain += Long.BYTES;
        }
        for (int i = plain; i < to; i++) {
            byte b = utf8[i];
            if ((b >= 0 && b < ' ') || b == '"' || b == '\\' || b == ASCII_MAX) {
                put(quoted(new String(utf8, from, length, StandardCharsets.UTF_8)));
                return;
            }
        }
        reserve(length);
        System.arraycopy(utf8, from, bytes, size, length);
        size += length;
    }

    private void put(byte[] more) {
        reserve(more.length);
        append(more);
    }

    private void put(char c) {
        reserve(1);
        bytes[size++] = (byte) c;
    }

    private void reserve(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }

    private static byte[] quoted(String text) {
        return JsonStringEncoder.getInstance().quoteAsUTF8(text);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
