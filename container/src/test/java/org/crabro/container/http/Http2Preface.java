package org.crabro.container.http;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that begins with HTTP/2 at once, as feed clients do. */
final class Http2Preface {
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int FRAME_HEADER = 9;
    private static final int SETTINGS = 4;
    private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

    private Http2Preface() {}

    /** Returns whether the server answers the preface with a SETTINGS frame. */
    static boolean settingsFrom(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().write(EMPTY_SETTINGS);
            byte[] header = socket.getInputStream().readNBytes(FRAME_HEADER);
            return header.length == FRAME_HEADER && header[3] == SETTINGS;
        }
    }

    /** Sends pings and reads all answers, and returns whether the server closes the connection. */
    static boolean isClosedAfterPings(int port, int pings)
            throws IOException, InterruptedException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            // The server stops reading if its answers are not read.
            Thread reader = Thread.startVirtualThread(() -> readAll(socket));
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            out.write(PREFACE);
            out.write(EMPTY_SETTINGS);
            for (int i = 0; i < pings; i++) {
                out.write(PING);
            }
            out.flush();
            socket.shutdownOutput();
            reader.join();
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    private static void readAll(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // The writer sees that the connection is closed, too.
        }
    }
}
