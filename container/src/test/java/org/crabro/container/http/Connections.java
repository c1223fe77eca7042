package org.crabro.container.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Connections that are closed at the end of a test; pending answers then have no reader. */
final class Connections implements AutoCloseable {
    private final int port;
    private final List<Connection> open = new ArrayList<>();

    Connections(HttpListener listener) {
        this(listener.port());
    }

    /**
     * @param port of this machine
     */
    Connections(int port) {
        this.port = port;
    }

    Connection open() throws IOException {
        var connection = new Connection(new Socket(InetAddress.getLoopbackAddress(), port));
        open.add(connection);
        return connection;
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : open) {
            connection.socket().setSoLinger(true, 0);
            connection.socket().close();
        }
    }
}
