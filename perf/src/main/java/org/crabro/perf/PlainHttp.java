package org.crabro.perf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Asks by the thread that calls, over connections of HTTP/1.1 that stay open: what asks shares the
 * processor and its caches with the server that is measured, and this takes a fraction of what
 * {@code java.net.http} does, which hands each request to threads of its own.
 */
final class PlainHttp {
    static {
        // As many connections stay open as any benchmark has clients; five unless it is said.
        System.setProperty("http.maxConnections", "64");
    }

    private PlainHttp() {}

    /**
     * Returns the answer to a GET.
     *
     * @throws IOException where it is not one of status 200, with what it says
     */
    static byte[] get(URI address) throws IOException {
        return answer(open(address));
    }

    /**
     * Returns the answer to a POST.
     *
     * @throws IOException where it is not one of status 200, with what it says
     */
    static byte[] post(URI address, String contentType, byte[] body) throws IOException {
        HttpURLConnection connection = open(address);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", contentType);
        // Not streamed: a connection that is used again would be tried for a millisecond before.
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        return answer(connection);
    }

    private static HttpURLConnection open(URI address) throws IOException {
        return (HttpURLConnection) address.toURL().openConnection();
    }

    private static byte[] answer(HttpURLConnection connection) throws IOException {
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            try (InputStream problem = connection.getErrorStream()) {
                throw new IOException(
                        "%d %s"
                                .formatted(
                                        connection.getResponseCode(),
                                        problem == null
                                                ? connection.getResponseMessage()
                                                : new String(
                                                        problem.readAllBytes(),
                                                        StandardCharsets.UTF_8)));
            }
        }
        try (InputStream body = connection.getInputStream()) {
            return body.readAllBytes();
        }
    }
}
