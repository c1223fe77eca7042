package org.crabro.server.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * Sends prepared HTTP/1.1 requests, one at a time over one connection.
 *
 * <p>The warm-up competes with the compilers of the JVM for the processor, and a client that builds
 * requests from objects would give them 200 more methods to compile. This client knows only what
 * the responses of a search contain: a status, a length or chunks, and a body.
 */
final class LoopbackClient implements AutoCloseable {
    private static final int CHUNK_RADIX = 16;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String LENGTH = "content-length:";

    /** The server closes a connection that is idle for longer, so a new one is opened. */
    private static final long IDLE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    /** Clients open connections too, so a new one is opened after this many requests. */
    private static final int REQUESTS_MAX = 100;

    private final URI server;
    private final int waitMillis;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();
    private long usedAt;
    private int requests;
    private int connections;

    /**
     * @param wait how long connecting takes at most, and each read of a response
     * @throws IOException if the server does not accept the connection
     */
    LoopbackClient(URI server, Duration wait) throws IOException {
        this.server = server;
        this.waitMillis = (int) wait.toMillis();
        connect();
    }

    private void connect() throws IOException {
        socket.close();
        socket = new Socket();
        boolean isConnected = false;
        try {
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), waitMillis);
            socket.setSoTimeout(waitMillis);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
            usedAt = System.nanoTime();
            connections++;
            isConnected = true;
        } finally {
            if (!isConnected) {
                socket.close();
            }
        }
    }

    /** A request. */
    static final class Request {
        private final byte[] bytes;

        /** The length of the request line and the headers; the rest is the body. */
        private final int headBytes;

        private Request(byte[] bytes, int headBytes) {
            this.bytes = bytes;
            this.headBytes = headBytes;
        }
    }

    /** Returns a GET request. */
    Request get(String path) {
        byte[] head = head("GET", path, "Accept: */*\r\n");
        return new Request(head, head.length);
    }

    /** Returns a POST request. */
    Request post(String path, String contentType, byte[] body) {
        byte[] head =
                head(
                        "POST",
                        path,
                        """
                        User-Agent: crabro-warm-up\r
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
    record Reply(int status, String body) {}

    /**
     * Sends a request and reads all of the response.
     *
     * @throws IOException if there is no complete response
     */
    Reply send(Request request) throws IOException {
        requests++;
        if (requests > REQUESTS_MAX || System.nanoTime() - usedAt > IDLE_NANOS_MAX) {
            connect();
            requests = 1;
        }
        write(request);
        String status = line();
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
        }
        byte[] body = length < 0 ? chunks() : in.readNBytes(length);
        usedAt = System.nanoTime();
        return new Reply(
                Integer.parseInt(status.split(" ", 3)[1]),
                new String(body, StandardCharsets.UTF_8));
    }

    /** Sends a request, on every second connection the body after the head, as many clients do. */
    private void write(Request request) throws IOException {
        OutputStream out = socket.getOutputStream();
        int bodyBytes = request.bytes.length - request.headBytes;
        if (connections % 2 == 0 && bodyBytes > 0) {
            out.write(request.bytes, 0, request.headBytes);
            out.write(request.bytes, request.headBytes, bodyBytes);
        } else {
            out.write(request.bytes);
        }
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.writeBytes(in.readNBytes(size));
            String _ = line();
        }
        String _ = line();
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), CHUNK_RADIX);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
