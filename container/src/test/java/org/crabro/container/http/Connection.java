package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** An HTTP/1.1 client that sends any bytes, valid or not. */
record Connection(Socket socket, InputStream in) {
    Connection(Socket socket) throws IOException {
        this(socket, new BufferedInputStream(socket.getInputStream()));
        socket.setSoTimeout(60_000);
    }

    void ask(String... paths) throws IOException {
        var requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        send(requests.toString());
    }

    /** Sends characters in Latin-1. */
    void send(String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    /** Reads an answer, whose length is in its headers, and returns its body. */
    String answer() throws IOException {
        int length = -1;
        assertThat(line()).isEqualTo("HTTP/1.1 200 OK");
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        return new String(in.readNBytes(length), ISO_8859_1);
    }

    String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended behind '" + line + "'");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
