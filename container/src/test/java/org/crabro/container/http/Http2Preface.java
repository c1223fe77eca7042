package org.crabro.container.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that begins with HTTP/2 at once, as feed clients do. */
final class Http2Preface {
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int FRAME_HEADER = 9;
    private static final int SETTINGS = 4;

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
}
