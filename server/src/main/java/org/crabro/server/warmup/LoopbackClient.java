package org.crabro.server.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
            isConnected = true;
        } finally {
            if (!isConnected) {
                socket.close();
            }
        }
    }

    /** Returns the bytes of a GET request. */
    byte[] get(String path) {
        return head("GET", path, "").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the bytes of a POST request with a JSON body. */
    byte[] post(String path, byte[] json) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                head(
                                "POST",
                                path,
                                "Content-Type: application/json\r\nContent-Length: "
                                        + json.length
                                        + "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(json);
        return bytes.toByteArray();
    }

    private String head(String method, String path, String headers) {
        return method
                + " "
                + path
                + " HTTP/1.1\r\nHost: "
                + server.getAuthority()
                + "\r\nAccept: */*\r\n"
                + headers
                + "\r\n";
    }

    /** A response. */
    record Reply(int status, String body) {}

    /**
     * Sends a request and reads all of the response.
     *
     * @throws IOException if there is no complete response
     */
    Reply send(byte[] request) throws IOException {
        requests++;
        if (requests > REQUESTS_MAX || System.nanoTime() - usedAt > IDLE_NANOS_MAX) {
            connect();
            requests = 1;
        }
        socket.getOutputStream().write(request);
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
