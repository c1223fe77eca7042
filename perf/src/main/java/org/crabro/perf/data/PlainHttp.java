package org.crabro.perf.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Sends requests on the calling thread, over persistent HTTP/1.1 connections, usually with one
 * write and one read per request. The client shares the processor and its caches with the measured
 * server. {@code java.net.http} passes each request to other threads, and with {@code
 * HttpURLConnection} a server that answers in 0.1 ms takes a sixth longer.
 */
public final class PlainHttp {
    /** The idle connections, by address. */
    private static final Map<String, Deque<Connection>> IDLE = new ConcurrentHashMap<>();

    /** Servers close connections that are idle for longer, and the next request would fail. */
    private static final long MAX_IDLE_NANOS = 5_000_000_000L;

    private PlainHttp() {}

    /**
     * Returns the answer to a GET.
     *
     * @throws IOException if the status is not 200; the message contains the answer
     */
    public static byte[] get(URI address) throws IOException {
        return ask(address, head("GET", address).append("\r\n").toString().getBytes(ISO_8859_1));
    }

    /**
     * Returns the answer to a POST.
     *
     * @throws IOException if the status is not 200; the message contains the answer
     */
    public static byte[] post(URI address, String contentType, byte[] body) throws IOException {
        var request = new ByteArrayOutputStream(body.length + 512);
        request.writeBytes(
                head("POST", address)
                        .append("Content-Type: ")
                        .append(contentType)
                        .append("\r\nContent-Length: ")
                        .append(body.length)
                        .append("\r\n\r\n")
                        .toString()
                        .getBytes(ISO_8859_1));
        request.writeBytes(body);
        return ask(address, request.toByteArray());
    }

    private static StringBuilder head(String method, URI address) {
        var head = new StringBuilder(512).append(method).append(' ').append(address.getRawPath());
        if (address.getRawQuery() != null) {
            head.append('?').append(address.getRawQuery());
        }
        return head.append(" HTTP/1.1\r\nHost: ").append(address.getAuthority()).append("\r\n");
    }

    private static byte[] ask(URI address, byte[] request) throws IOException {
        Deque<Connection> idle =
                IDLE.computeIfAbsent(
                        address.getAuthority(), authority -> new ConcurrentLinkedDeque<>());
        Connection connection = taken(idle, address);
        byte[] answer;
        try {
            answer = connection.ask(request);
        } catch (IOException e) {
            connection.close();
            throw e;
        }
        idle.push(connection);
        return answer;
    }

    private static Connection taken(Deque<Connection> idle, URI address) throws IOException {
        Connection connection = idle.poll();
        while (connection != null && connection.isStale()) {
            connection.close();
            connection = idle.poll();
        }
        return connection != null
                ? connection
                : new Connection(new Socket(address.getHost(), address.getPort()));
    }

    private static final class Connection implements Closeable {
        private final Socket socket;
        private final InputStream in;
        private final byte[] read = new byte[1 << 16];
        private int at;
        private int end;
        private long usedNanos;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
        }

        boolean isStale() {
            return System.nanoTime() - usedNanos > MAX_IDLE_NANOS;
        }

        byte[] ask(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            String status = line();
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
                if (name.equals("content-length")) {
                    length = Integer.parseInt(header.substring(name.length() + 1).strip());
                }
            }
            byte[] body = length < 0 ? chunks() : bytes(length);
            usedNanos = System.nanoTime();
            if (!status.startsWith("HTTP/1.1 200 ")) {
                throw new IOException(status + " " + new String(body, UTF_8));
            }
            return body;
        }

        /** Reads a body in chunks; a body has either chunks or a length. */
        private byte[] chunks() throws IOException {
            var body = new ByteArrayOutputStream();
            int length = Integer.parseInt(line(), 16);
            while (length > 0) {
                body.writeBytes(bytes(length));
                requireEmpty(line());
                length = Integer.parseInt(line(), 16);
            }
            requireEmpty(line());
            return body.toByteArray();
        }

        private static void requireEmpty(String line) throws ProtocolException {
            if (!line.isEmpty()) {
                throw new ProtocolException("'" + line + "' after a chunk");
            }
        }

        private byte[] bytes(int length) throws IOException {
            byte[] bytes = new byte[length];
            for (int filled = 0; filled < length; ) {
                requireMore();
                int part = Math.min(length - filled, end - at);
                System.arraycopy(read, at, bytes, filled, part);
                at += part;
                filled += part;
            }
            return bytes;
        }

        private String line() throws IOException {
            var line = new StringBuilder(64);
            for (char next = next(); next != '\n'; next = next()) {
                if (next != '\r') {
                    line.append(next);
                }
            }
            return line.toString();
        }

        private char next() throws IOException {
            requireMore();
            return (char) (read[at++] & 0xff);
        }

        private void requireMore() throws IOException {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(read));
                if (end == 0) {
                    throw new EOFException("the server closed the connection within an answer");
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
