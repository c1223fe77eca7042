package org.crabro.server.warmup;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * Sends HTTP/1.1 requests to a server of this host on the calling thread, one at a time over one
 * connection. Redirects are not followed. For one thread at a time.
 *
 * <p>The warm-up competes with the compilers of the JVM for the processor, and measurements share
 * the processor with the measured server. {@code java.net.http} passes each request to other
 * threads, and has 200 more methods to compile. This client knows only what the responses of a
 * search contain: a status, a length or chunks, and a body.
 */
public final class LoopbackClient implements AutoCloseable {
    /** The maximum size of a body of a response, in bytes. */
    static final int RESPONSE_BYTES_MAX = 64 << 20;

    private static final int CHUNK_RADIX = 16;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String LENGTH = "content-length:";

    /** The server closes a connection that is idle for longer, so a new one is opened. */
    private static final long IDLE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final URI server;
    private final int waitMillis;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    /** Bytes that were received, and from {@link #at} to {@link #end} not read yet. */
    private final byte[] buffer = new byte[BUFFER_BYTES];

    private int at;
    private int end;
    private long usedAt;

    /**
     * @param wait how long connecting takes at most, and each read of a response
     * @throws IOException if the server does not accept the connection
     */
    public LoopbackClient(URI server, Duration wait) throws IOException {
        this.server = server;
        this.waitMillis = (int) wait.toMillis();
        connect();
    }

    /**
     * Sends later requests over a new connection.
     *
     * @throws IOException if the server does not accept the connection
     */
    void connect() throws IOException {
        socket.close();
        socket = new Socket();
        boolean isConnected = false;
        try {
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), waitMillis);
            socket.setSoTimeout(waitMillis);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            in = socket.getInputStream();
            at = 0;
            end = 0;
            usedAt = System.nanoTime();
            isConnected = true;
        } finally {
            if (!isConnected) {
                socket.close();
            }
        }
    }

    /** A request. */
    public static final class Request {
        private final byte[] bytes;

        /** The length of the request line and the headers; the rest is the body. */
        private final int headBytes;

        private Request(byte[] bytes, int headBytes) {
            this.bytes = bytes;
            this.headBytes = headBytes;
        }
    }

    /**
     * Returns a GET request.
     *
     * @param path with the query, encoded
     */
    public Request get(String path) {
        byte[] head = head("GET", path, "Accept: */*\r\n");
        return new Request(head, head.length);
    }

    /**
     * Returns a POST request.
     *
     * @param path with the query, encoded
     */
    public Request post(String path, String contentType, byte[] body) {
        byte[] head =
                head(
                        "POST",
                        path,
                        """
                        User-Agent: crabro-loopback\r
                        Accept-Encoding: identity\r
                        Content-Type: %s\r
                        Content-Length: %d\r
                        """
                                .formatted(contentType, body.length));
        byte[] bytes = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, bytes, head.length, body.length);
        return new Request(bytes, head.length);
    }

    private byte[] head(String method, String path, String headers) {
        return """
        %s %s HTTP/1.1\r
        Host: %s\r
        %s\r
        """
                .formatted(method, path, server.getAuthority(), headers)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A response. */
    public static final class Reply {
        private final int status;
        private final byte[] body;

        private Reply(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }

        public int status() {
            return status;
        }

        /** Returns the body as text. */
        public String body() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * Sends a request and reads all of the response.
     *
     * @throws IOException if there is no complete response, or if its body is larger than 64 MiB
     */
    public Reply send(Request request) throws IOException {
        reconnectIfIdle();
        socket.getOutputStream().write(request.bytes);
        return reply();
    }

    /**
     * Sends the head of a request and then its body, as many clients do, and reads all of the
     * response.
     *
     * @throws IOException as {@link #send}
     */
    Reply sendBodyApart(Request request) throws IOException {
        reconnectIfIdle();
        OutputStream out = socket.getOutputStream();
        out.write(request.bytes, 0, request.headBytes);
        out.write(request.bytes, request.headBytes, request.bytes.length - request.headBytes);
        return reply();
    }

    private void reconnectIfIdle() throws IOException {
        if (System.nanoTime() - usedAt > IDLE_NANOS_MAX) {
            connect();
        }
    }

    private Reply reply() throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2 || !status[0].equals("HTTP/1.1")) {
            throw new ProtocolException("expected a status but found '" + status[0] + "'");
        }
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = size(header.substring(LENGTH.length()).strip(), 10);
            }
        }
        byte[] body = length < 0 ? chunks() : bytes(length);
        usedAt = System.nanoTime();
        return new Reply(size(status[1], 10), body);
    }

    /** Reads a body in chunks; a body has either chunks or a length. */
    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        for (int size = size(line(), CHUNK_RADIX); size > 0; size = size(line(), CHUNK_RADIX)) {
            body.writeBytes(bytes(size(body.size() + (long) size) - body.size()));
            requireEmpty(line());
        }
        requireEmpty(line());
        return body.toByteArray();
    }

    private static void requireEmpty(String line) throws ProtocolException {
        if (!line.isEmpty()) {
            throw new ProtocolException("'" + line + "' after a chunk");
        }
    }

    private static int size(String digits, int radix) throws ProtocolException {
        try {
            return size(Long.parseLong(digits, radix));
        } catch (NumberFormatException _) {
            throw new ProtocolException("expected a number but found '" + digits + "'");
        }
    }

    private static int size(long size) throws ProtocolException {
        if (size < 0 || size > RESPONSE_BYTES_MAX) {
            throw new ProtocolException(
                    "%d bytes, at most %d are allowed".formatted(size, RESPONSE_BYTES_MAX));
        }
        return (int) size;
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int filled = 0; filled < length; ) {
            requireMore();
            int part = Math.min(length - filled, end - at);
            System.arraycopy(buffer, at, bytes, filled, part);
            at += part;
            filled += part;
        }
        return bytes;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = next(); next != '\n'; next = next()) {
            if (line.length() == BUFFER_BYTES) {
                throw new ProtocolException("a line is longer than " + BUFFER_BYTES);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private int next() throws IOException {
        requireMore();
        return buffer[at++] & 0xff;
    }

    private void requireMore() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                throw new EOFException("the server closed the connection within a response");
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
