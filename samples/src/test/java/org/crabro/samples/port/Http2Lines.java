package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;

/**
 * A client of HTTP/2 that sends every path as it is given, also one that no library sends. It reads
 * the status of answers only, one answer after another.
 */
final class Http2Lines implements AutoCloseable {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

    /** The server reset the stream instead of an answer. */
    static final int IS_RESET = -1;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_HEADERS = 4;
    private static final int TABLE_SIZE = 1;
    private static final int WINDOW = 4;
    private static final int FIRST_WINDOW = 65_535;

    /** The statuses of the static table of HPACK, from index 8 on. */
    private static final int[] STATUSES = {200, 204, 206, 304, 400, 404, 500};

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int stream = 1;

    Http2Lines(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        var settings = new ByteArrayOutputStream();
        var written = new DataOutputStream(settings);
        written.writeShort(TABLE_SIZE);
        written.writeInt(0);
        written.writeShort(WINDOW);
        written.writeInt(Integer.MAX_VALUE);
        out.write(PREFACE);
        frame(SETTINGS, 0, 0, settings.toByteArray());
        frame(WINDOW_UPDATE, 0, 0, bytes(Integer.MAX_VALUE - FIRST_WINDOW));
    }

    /**
     * Sends a request without a body and returns the status of its answer, or {@link #IS_RESET}.
     */
    int status(String method, String target, Map<String, String> headers) throws IOException {
        var block = new ByteArrayOutputStream();
        header(block, ":method", method);
        header(block, ":scheme", "http");
        header(block, ":authority", "localhost:" + socket.getPort());
        header(block, ":path", target);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            header(block, header.getKey(), header.getValue());
        }
        int asked = stream;
        stream += 2;
        frame(HEADERS, END_HEADERS | END_STREAM, asked, block.toByteArray());
        return answer(asked);
    }

    private int answer(int asked) throws IOException {
        int status = 0;
        while (true) {
            int length = (in.readUnsignedShort() << 8) | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int of = in.readInt();
            byte[] content = in.readNBytes(length);
            if (type == SETTINGS && (flags & ACKNOWLEDGED) == 0) {
                frame(SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
            } else if (type == GO_AWAY) {
                throw new IOException(
                        "the server ended the connection after stream %d: ".formatted(asked)
                                + new String(content, 8, length - 8, ISO_8859_1));
            } else if (type == RESET && of == asked) {
                return status == 0 ? IS_RESET : status;
            } else if (type == DATA && length > 0) {
                frame(WINDOW_UPDATE, 0, 0, bytes(length));
            }
            if (type == HEADERS && of == asked && status == 0) {
                status = status(content);
            }
            if ((type == HEADERS || type == DATA) && of == asked && (flags & END_STREAM) != 0) {
                return status;
            }
        }
    }

    /** Returns the status, which is the first header. */
    private static int status(byte[] block) throws IOException {
        int at = 0;
        // Changes of the size of the table come first.
        while ((block[at] & 0xe0) == 0x20) {
            at++;
        }
        int first = block[at] & 0xff;
        if (first >= 0x80) {
            return STATUSES[(first & 0x7f) - 8];
        }
        int index = (first & 0xc0) == 0x40 ? first & 0x3f : first & 0x0f;
        if (index < 8 || index > 14) {
            throw new IOException("the first header is no status: " + first);
        }
        int length = block[at + 1] & 0x7f;
        return (block[at + 1] & 0x80) == 0
                ? Integer.parseInt(new String(block, at + 2, length, ISO_8859_1))
                : digits(block, at + 2);
    }

    /** Decodes three digits in the code of Huffman. */
    private static int digits(byte[] block, int from) {
        int number = 0;
        int bit = from * 8;
        for (int i = 0; i < 3; i++) {
            int five = bits(block, bit, 5);
            if (five < 3) {
                number = number * 10 + five;
                bit += 5;
            } else {
                number = number * 10 + bits(block, bit, 6) - 0x19 + 3;
                bit += 6;
            }
        }
        return number;
    }

    private static int bits(byte[] block, int from, int count) {
        int value = 0;
        for (int bit = from; bit < from + count; bit++) {
            value = (value << 1) | ((block[bit / 8] >> (7 - bit % 8)) & 1);
        }
        return value;
    }

    /** Writes a header that no table contains, without Huffman. */
    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        if (bytes.length < 0x7f) {
            block.write(bytes.length);
        } else {
            block.write(0x7f);
            int remaining = bytes.length - 0x7f;
            while (remaining >= 0x80) {
                block.write((remaining & 0x7f) | 0x80);
                remaining >>= 7;
            }
            block.write(remaining);
        }
        block.writeBytes(bytes);
    }

    private void frame(int type, int flags, int of, byte[] content) throws IOException {
        var frame = new ByteArrayOutputStream();
        var written = new DataOutputStream(frame);
        written.writeByte(content.length >> 16);
        written.writeShort(content.length);
        written.writeByte(type);
        written.writeByte(flags);
        written.writeInt(of);
        written.write(content);
        out.write(frame.toByteArray());
        out.flush();
    }

    private static byte[] bytes(int value) {
        return new byte[] {
            (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
